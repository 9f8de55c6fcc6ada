import { EventEmitter } from 'node:events'
import type { PostgresQuery, PostgresResult } from '../../src/drivers/postgres-client.ts'

/** What the fake server says to a statement: rows, an error, or silence until `answer` is called. */
export type Script = (text: string, query: PostgresQuery) => Reply | Promise<Reply>
export type Reply = { rows?: object[]; command?: string; int8?: readonly string[] } | Error

/** A server's own error. */
export function serverError(code: string, message = 'said the server', more: object = {}): Error {
  return Object.assign(new Error(message), { code, severity: 'ERROR', ...more })
}

/** A pool of one fake client, which writes down what it was sent and how it was released. */
export function fakePool(script: Script, options: { pipeline?: boolean; max?: number } = {}) {
  const log: string[] = []
  const names: (string | undefined)[] = []

  const query = async (given: PostgresQuery): Promise<PostgresResult> => {
    log.push(given.text)
    names.push(given.name)
    const reply = await script(given.text, given)
    if (reply instanceof Error) throw reply
    const command = reply.command ?? given.text.split(' ')[0]!.toUpperCase()
    const fields = (reply.int8 ?? []).map((name) => ({ name, dataTypeID: 20 }))
    return { command, rows: reply.rows ?? [], fields }
  }

  const client = Object.assign(new EventEmitter(), {
    query,
    pipeline: options.pipeline === true,
    release: (destroy?: boolean) => void log.push(destroy === true ? 'destroyed' : 'released'),
  })
  const pool = Object.assign(new EventEmitter(), { query, options, connect: async () => client })
  return { pool, client, log, names }
}
