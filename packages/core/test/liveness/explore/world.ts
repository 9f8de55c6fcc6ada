import { installSchemas } from '../../../src/install/installer.ts'
import { createLiveness, type LivenessOptions, livenessSchema } from '../../../src/liveness/index.ts'
import { createOutbox, outboxSchema } from '../../../src/outbox/index.ts'
import type { Driver, Row, Statement } from '../../../src/port/driver.ts'
import { type Engine, memory } from '../../../src/testing/index.ts'

/**
 * The world in which the actors meet, at NOW: `silent` is up and due; `down` is down and was announced; `fresh` is down, and
 * its alert waits; `paused` is paused; `new` was never seen.
 */

export const NOW = 1000
export const OPTIONS = {
  downAfter: 100,
  every: 1000,
  repairEvery: 1,
  episodeWindow: 1,
  mass: { share: 1, least: 1000, holdTicks: 0 },
  announceTo: ['ops', 'chat'],
} satisfies LivenessOptions

export const IDS = ['silent', 'down', 'fresh', 'paused', 'new'] as const

export async function setup(driver: Driver): Promise<void> {
  await installSchemas(driver, [outboxSchema, livenessSchema])
  const liveness = createLiveness(driver, OPTIONS)
  const outbox = createOutbox(driver)
  for (const id of ['down', 'paused', 'fresh']) await liveness.beat(id, { register: {}, now: 10 })
  await liveness.register('new', { now: 10 })
  await liveness.pause('paused', { now: 20 })
  await liveness.beat('fresh', { now: 200 })
  await liveness.check({ now: 200, run: 'first' })
  const leased = await outbox.lease({ limit: 10, ttl: 50, now: 200 })
  if (leased.ok) for (const message of leased.messages) await outbox.sent(message, { now: 200 })
  await liveness.check({ now: 400, run: 'second' })
  await liveness.beat('silent', { register: {}, now: NOW - 100 })
}

/** All rows at one moment. */
export interface State {
  readonly subjects: ReadonlyMap<string, Row>
  readonly downtimes: readonly Row[]
  readonly alerts: ReadonlyMap<string, Row>
  readonly checks: readonly Row[]
}

const LOOKS: readonly Statement[] = [
  'select * from "rowlock_subjects" where deleted_at is null order by id',
  'select * from "rowlock_downtimes" order by detected_at, subject_id, id',
  'select * from "rowlock_outbox" order by id',
  'select * from "rowlock_checks" order by run',
].map((text) => ({ name: 'look', text, values: [] }))

export async function stateOf(driver: Driver): Promise<State> {
  const [subjects, downtimes, alerts, checks] = await Promise.all(LOOKS.map((look) => driver.execute(look)))
  return {
    subjects: new Map(subjects!.map((row) => [String(row.id), row])),
    downtimes: downtimes!,
    alerts: new Map(alerts!.map((row) => [String(row.dedup_key), row])),
    checks: checks!,
  }
}

export interface World {
  readonly engine: Engine
  /** The state before the first step of the current order, then one for each step that was tried. */
  readonly history: State[]
  /** The data, without anybody watching. */
  readonly driver: Driver
  close(): Promise<void>
}

/** A world that is set up once, and looked at behind every step. */
export async function createWorld(): Promise<World> {
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
          execute: (statement) => watched(driver.execute(statement)),
          batch: (statements) => watched(driver.batch(statements)),
        },
        snapshot: () => fresh,
        async dispose() {},
      }
    },
  }
  return { engine, history, driver, close: () => opened.dispose() }
}
