import type { Row, Statement } from '../../port/driver.ts'
import { integer, text } from '../../port/row.ts'
import { orUnknown, runOne } from '../../port/run.ts'
import type { Parts } from '../outbox.ts'
import type { AnswerOutcome, Lease, MessageState } from '../types.ts'

/**
 * An answer to a lease; it counts only under the token that the lease gave. When no row comes back,
 * either the lease was lost, or this very answer was given before and its acknowledgement was lost:
 * then the row stands as the answer `makes` it, under the same token.
 */
export async function answer(
  { driver, texts }: Parts,
  { id, token }: Lease,
  statement: Statement,
  { also, makes }: { also: readonly Statement[] | undefined; makes: readonly MessageState[] },
): Promise<AnswerOutcome> {
  return await orUnknown(async () => {
    const [row] = await runOne(driver, statement, also)
    if (row !== undefined) return outcome(row)
    const [seen] = await driver.execute(texts.look.with({ id, token }))
    const ours = seen !== undefined && makes.some((state) => state === text(seen, 'state'))
    return ours ? outcome(seen) : { ok: false, reason: 'lost' }
  })
}

function outcome(row: Row): AnswerOutcome {
  const state = text(row, 'state')
  if (state === 'pending') return { ok: true, state, notBefore: integer(row, 'not_before') }
  return { ok: true, state: state === 'sent' ? 'sent' : 'dead' }
}
