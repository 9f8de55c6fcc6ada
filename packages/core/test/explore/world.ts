import { type ClaimRef, createClaims } from '../../src/claims/index.ts'
import { claimsSchema } from '../../src/claims/schema.ts'
import { installSchemas } from '../../src/install/installer.ts'
import { createOutbox, type Message, outboxSchema } from '../../src/outbox/index.ts'
import type { Driver, Row, Statement } from '../../src/port/driver.ts'
import { type Engine, memory } from '../../src/testing/index.ts'

/** The world in which the actors meet: one claim that ends at EDGE, messages in every state. */

/** The last millisecond of the claim and of the leases that stand before the actors begin. */
export const EDGE = 100
export const HELD: ClaimRef = { key: 'k', token: 40 }
/** The message `down` as it stands: leased under this token, before `up` in its ordering key. */
export const DOWN = { id: 1, token: 1, attempts: 1 }
export const RETENTION = 70
export const OPTIONS = { random: () => 0, firstDelay: 20, attempts: 3, maxAge: 500 }

export const message = (dedupKey: string, fields: Partial<Message> = {}): Message => ({
  topic: 't',
  destination: 'a',
  dedupKey,
  payload: dedupKey,
  ...fields,
})

export async function setup(driver: Driver): Promise<void> {
  await installSchemas(driver, [claimsSchema, outboxSchema])
  const claims = createClaims(driver)
  await claims.acquire('k', { ttl: EDGE - 40, holder: 'before', now: 40 })
  const old = await claims.acquireOrThrow('old', { ttl: 5, holder: 'before', now: 10 })
  await claims.release(old, { now: 11 })

  const outbox = createOutbox(driver, OPTIONS)
  const ordered = { orderingKey: 'o' }
  await outbox.enqueue(
    [message('down', ordered), message('up', ordered), message('solo', { destination: 'b' })],
    { now: 10 },
  )
  await outbox.lease({ limit: 10, ttl: EDGE - 40, now: 40 })
  await outbox.enqueue([message('gone'), message('done')], { now: 20 })
  for (const verb of ['dead', 'sent'] as const) {
    const leased = await outbox.lease({ limit: 1, ttl: 5, now: 20 })
    if (leased.ok) await outbox[verb](leased.messages[0]!, { error: 'no', now: verb === 'sent' ? 25 : 40 })
  }
  await outbox.enqueue(message('free', { destination: 'c' }), { now: 30 })
}

/** All rows at one moment. */
export interface State {
  readonly claims: ReadonlyMap<string, Row>
  readonly messages: ReadonlyMap<string, Row>
  readonly disabled: ReadonlySet<string>
}

const LOOKS: readonly Statement[] = [
  'select * from "rowlock_claims"',
  'select * from "rowlock_outbox" order by id',
  'select destination from "rowlock_outbox_destinations"',
].map((text) => ({ name: 'look', text, values: [] }))

export interface World {
  readonly engine: Engine
  /** The state before the first step of the current order, then one for each step that was tried. */
  readonly history: State[]
  /** The data, without anybody watching. */
  readonly driver: Driver
  close(): Promise<void>
}

/** A world that is set up once, and looked at behind every step. `change` may get a statement wrong. */
export async function createWorld(change = (statement: Statement) => statement): Promise<World> {
  const opened = await memory().open()
  const { driver } = opened
  await setup(driver)
  const bringBack = opened.snapshot!()
  const history = [await stateOf(driver)]
  const watched = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      history.push(await stateOf(driver))
    }
  }
  const fresh = () => {
    history.splice(1)
    return bringBack()
  }
  const engine: Engine = {
    ...memory(),
    async open() {
      if (!fresh()) throw new Error('the world could not be brought back')
      return {
        driver: {
          ...driver,
          execute: (statement) => watched(driver.execute(change(statement))),
          batch: (statements) => watched(driver.batch(statements.map(change))),
        },
        snapshot: () => fresh,
        async dispose() {},
      }
    },
  }
  return { engine, history, driver, close: () => opened.dispose() }
}

async function stateOf(driver: Driver): Promise<State> {
  const [claims, messages, disabled] = await Promise.all(LOOKS.map((look) => driver.execute(look)))
  if (new Set(messages!.map((row) => row.dedup_key)).size !== messages!.length) {
    throw new Error('a dedup key is there twice')
  }
  return {
    claims: new Map(claims!.map((row) => [String(row.key), row])),
    messages: new Map(messages!.map((row) => [String(row.dedup_key), row])),
    disabled: new Set(disabled!.map((row) => String(row.destination))),
  }
}
