import { GuardError } from '../errors.ts'
import type { Expectation, Statement } from '../port/driver.ts'
import { chain, messageOf } from '../port/fault.ts'
import { shapeOf } from '../port/shape.ts'

/**
 * D1's `batch()` is one transaction that only an error takes back, and a write of no rows is no error.
 * So each statement with `expect` gets a guard right behind it: a SELECT that raises "bad JSON path"
 * with our label when the count is off. What must hold for that:
 *
 * - `changes()` is that of the write directly before. Behind a SELECT or DDL it would be an older
 *   write's and let everything pass, so there the rows are counted instead.
 * - The label never begins with `$` and is never NULL: either would pass in silence.
 * - It holds no text of the user's. Counts are written in, since D1 binds 5 as 5.0.
 */
export function guardBehind(
  statement: Statement & { expect: Expectation },
  index: number,
  nonce: string,
): Statement {
  const { name, text, values, expect } = statement
  const holds = expect === 'some' ? '> 0' : `= ${expect}`
  const raise = (count: string) =>
    `case when ${count} ${holds} then 1 else json_extract('{}', '${label(nonce, index)}:' || ${count}) end`
  if (shapeOf(text).kind === 'write') return { name, text: `select ${raise('changes()')}`, values: [] }
  // The line break ends a comment that the text may end in.
  const counted = `select count(*) as n from (${text.replace(/[\s;]+$/, '')}\n)`
  return { name, text: `select (select ${raise('n')} from (${counted}))`, values }
}

/** The guard's error, found by its label anywhere in the words of an error or of its causes. */
export function failedGuard(
  cause: unknown,
  nonce: string,
  statements: readonly Statement[],
): GuardError | undefined {
  const pattern = new RegExp(`${label(nonce, '(\\d+)')}:(\\d+)`)
  for (const error of chain(cause)) {
    const [, index, actual] = (pattern.exec(messageOf(error)) ?? []).map(Number)
    const statement = index === undefined ? undefined : statements[index]
    if (statement?.expect === undefined) continue
    const failed = { statement: statement.name, index: index!, expected: statement.expect, actual: actual! }
    return new GuardError({ ...failed, cause })
  }
  return undefined
}

function label(nonce: string, index: number | string): string {
  return `rowlock1:${nonce}:${index}`
}
