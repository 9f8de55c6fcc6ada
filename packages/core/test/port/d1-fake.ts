import { DatabaseSync } from 'node:sqlite'
import type { D1Database, D1PreparedStatement } from '../../src/drivers/d1.ts'

interface Bound extends D1PreparedStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** D1's behaviour over node:sqlite: batches are transactions, errors are wrapped and have only words. */
export function fakeD1() {
  const database = new DatabaseSync(':memory:')
  database.exec('pragma foreign_keys = on')
  const sent: Bound[] = []
  const rows = ({ text, values }: Bound) => {
    const results = database.prepare(text).all(...(values as never[]))
    return { results: results.map((row) => ({ ...row })) }
  }
  const wrapped = (error: unknown) =>
    new Error('D1_ERROR: something went wrong', {
      cause: new Error(`D1_ERROR: ${(error as Error).message} at offset 7: SQLITE_ERROR`),
    })
  const bound = (text: string, values: readonly unknown[]): Bound => ({
    text,
    values,
    bind: (...given) => bound(text, given),
    all: async () => rows(bound(text, values)),
  })
  const binding: D1Database = {
    prepare: (text) => bound(text, []),
    async batch(statements) {
      sent.push(...(statements as Bound[]))
      database.exec('begin')
      try {
        const results = (statements as Bound[]).map(rows)
        database.exec('commit')
        return results
      } catch (error) {
        database.exec('rollback')
        throw wrapped(error)
      }
    },
  }
  const keys = () =>
    database
      .prepare('select key from t order by key')
      .all()
      .map((row) => row.key)
  return { binding, database, sent, keys }
}
