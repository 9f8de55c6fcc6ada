import type { Outbox, Parts } from '../outbox.ts'
import { answer } from './answer.ts'

export function sent(parts: Parts): Outbox['sent'] {
  return async (lease, options = {}) =>
    await answer(parts, lease, parts.statements.sent(lease, options), { also: options.also, makes: ['sent'] })
}
