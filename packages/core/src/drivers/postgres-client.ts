import type { Row, Statement } from '../port/driver.ts'
import { postgresFault } from '../port/postgres-fault.ts'
import type { Naming } from './postgres-naming.ts'
import type { Source } from './postgres-session.ts'
import type { Reply, Session } from './session.ts'
import { narrow } from './whole-numbers.ts'

/** What is used of pg's clients and pools. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<PostgresResult>
  /** Set by the pool's own setting of that name. */
  readonly pipeline?: boolean
}

export interface PostgresPoolClient extends PostgresClient {
  release(destroy?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
}

export interface PostgresPool {
  query(query: PostgresQuery): Promise<PostgresResult>
  connect(): Promise<PostgresPoolClient>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  readonly options?: { readonly max?: number; readonly pipeline?: boolean | undefined }
}

export interface PostgresQuery {
  text: string
  values: unknown[]
  name?: string
}

export interface PostgresResult {
  readonly command: string
  readonly rows: object[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

/** A client, or a pool standing for any of its clients, as a session. */
export function sessionOver(client: PostgresClient, naming: Naming): Session {
  return {
    pipelines: client.pipeline === true,
    fault: postgresFault,
    send: async (statement) => replyOf(await client.query(queryOf(statement, naming))),
  }
}

export function sourceOver(pool: PostgresPool, naming: Naming): Source {
  // A pool whose idle connection is lost emits 'error', and with nobody listening that ends the
  // process. There is nothing to do about it: the pool has already dropped that connection.
  pool.on('error', ignore)
  return {
    any: sessionOver(pool, naming),
    pipelines: pool.options?.pipeline === true,
    connections: pool.options?.max ?? 10,
    async hold(work) {
      const client = await pool.connect()
      let broken = false
      const spoiled = () => {
        broken = true
      }
      client.on('error', spoiled)
      try {
        return await work(sessionOver(client, naming), spoiled)
      } finally {
        client.off('error', spoiled)
        client.release(broken)
      }
    },
    close: () => pool.off('error', ignore),
  }
}

function ignore(): void {}

function queryOf(statement: Statement, naming: Naming): PostgresQuery {
  const query = { text: statement.text, values: [...statement.values] }
  const name = naming.nameOf(statement)
  return name === undefined ? query : { ...query, name }
}

const INT8 = 20

/** pg hands out int8 as text. Numbers within 2^53 become numbers here, the pool's type parsers are left alone. */
export function replyOf({ command, rows, fields }: PostgresResult): Reply {
  const wide = (fields ?? []).filter((field) => field.dataTypeID === INT8)
  for (const row of wide.length > 0 ? (rows as Record<string, unknown>[]) : []) {
    for (const { name } of wide) row[name] = narrow(row[name])
  }
  return { command, rows: (rows ?? []) as Row[] }
}
