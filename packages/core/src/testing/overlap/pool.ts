import type { PostgresPool, PostgresPoolClient } from '../../drivers/postgres.ts'
import type { OverlapClient, OverlapResult } from './types.ts'

/** Waits for its turn, then does the work. */
export type Ask = (text: string, work: () => Promise<OverlapResult>) => Promise<OverlapResult>

/**
 * A pool of one connection for core's own driver, so that what is explored is what is used. Each
 * statement, COMMIT and ROLLBACK waits for its turn. A statement that would commit by itself is held
 * open in a transaction, and its COMMIT is a step of its own: between the two everybody else may come.
 * BEGIN alone does nothing at READ COMMITTED, so it is no step.
 */
export function gatedPool(client: OverlapClient, ask: Ask): PostgresPool {
  const send = (text: string, values: unknown[] = []) => client.query({ text, values })
  const step = (text: string, values: unknown[] = []) => ask(text, () => send(text, values))
  let turn: Promise<unknown> = Promise.resolve()

  /** One use of the connection after the other. */
  const take = (): Promise<() => void> => {
    let release = () => {}
    const taken = turn.then(() => release)
    turn = new Promise<void>((resolve) => {
      release = resolve
    })
    return taken
  }

  const held = async (text: string, values: unknown[]): Promise<OverlapResult> => {
    const release = await take()
    try {
      const result = await ask(text, async () => {
        await send('begin isolation level read committed')
        return send(text, values)
      }).catch(async (error) => {
        await send('rollback')
        throw error
      })
      await step('commit')
      return result
    } finally {
      release()
    }
  }

  const connected = async (): Promise<PostgresPoolClient> => {
    const release = await take()
    return {
      query: ({ text, values }) => (/^begin\b/.test(text) ? send(text) : step(text, values)),
      release: () => release(),
      on: ignore,
      off: ignore,
    }
  }

  return { query: ({ text, values }) => held(text, values), connect: connected, on: ignore, off: ignore }
}

function ignore(): void {}
