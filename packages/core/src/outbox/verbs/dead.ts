import type { Outbox, Parts } from '../outbox.ts'
import { answer } from './answer.ts'

export function dead(parts: Parts): Outbox['dead'] {
  return async (lease, options) =>
    await answer(parts, lease, parts.statements.dead(lease, options), { also: options.also, makes: ['dead'] })
}
