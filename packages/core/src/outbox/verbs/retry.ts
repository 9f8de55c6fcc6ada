import type { Outbox, Parts } from '../outbox.ts'
import { answer } from './answer.ts'

export function retry(parts: Parts): Outbox['retry'] {
  return async (lease, options) =>
    await answer(parts, lease, parts.statements.retry(lease, options), {
      also: options.also,
      makes: ['pending', 'dead'],
    })
}
