import { checkText, checkValue } from '../port/check.ts'
import type { Row, Statement, Value } from '../port/driver.ts'
import { recent } from '../port/recent.ts'

/** What is used of a node:sqlite `DatabaseSync` or a better-sqlite3 `Database`. */
export interface SqliteDatabase {
  prepare(text: string): SqliteStatement
  exec(text: string): unknown
  /** node:sqlite's word for an open transaction. */
  readonly isTransaction?: boolean
  /** better-sqlite3's word for the same. */
  readonly inTransaction?: boolean
}

export interface SqliteStatement {
  all(...values: never[]): unknown[]
  run(...values: never[]): unknown
  /** better-sqlite3 has `all` only for statements that give rows. */
  readonly reader?: boolean
  /** Both are set so that whole numbers come back as numbers, whatever the connection's default. */
  setReadBigInts?(enabled: boolean): unknown
  safeIntegers?(enabled: boolean): unknown
}

/** One connection, used synchronously. */
export interface Connection {
  run(statement: Statement): Row[]
  exec(text: string): void
  inTransaction(): boolean
}

/** Statements that are kept prepared. */
const KEPT = 256

export function connect(database: SqliteDatabase): Connection {
  const prepared = recent<SqliteStatement>(KEPT, (text) => {
    checkText(text)
    const ready = database.prepare(text)
    ready.setReadBigInts?.(false)
    if (ready.reader !== false) ready.safeIntegers?.(false)
    return ready
  })
  return {
    run(statement) {
      const ready = prepared.get(statement.text)
      const values = bind(statement) as never[]
      if (ready.reader !== false) return ready.all(...values) as Row[]
      ready.run(...values)
      return []
    },
    exec(text) {
      database.exec(text)
    },
    inTransaction() {
      try {
        return database.isTransaction ?? database.inTransaction ?? refusesBegin(database)
      } catch {
        return false // The connection is closed, which whatever is run on it will say better.
      }
    },
  }
}

/** Node before 22.16 does not tell: there BEGIN, which takes no lock yet, is refused inside a transaction. */
function refusesBegin(database: SqliteDatabase): boolean {
  try {
    database.exec('begin')
  } catch {
    return true
  }
  database.exec('rollback')
  return false
}

/** Clients bind every number as REAL, and '5.0' in a TEXT column is no '5'. */
export function bind(statement: Statement): Value[] {
  const { values } = statement
  const bound: Value[] = new Array(values.length)
  for (let index = 0; index < values.length; index++) {
    const value = values[index] as Value
    if (typeof value === 'string' || value === null) bound[index] = value
    else if (Number.isSafeInteger(value)) bound[index] = BigInt(value as number)
    else {
      checkValue(statement, index, value)
      bound[index] = typeof value === 'boolean' ? BigInt(value) : value
    }
  }
  return bound
}
