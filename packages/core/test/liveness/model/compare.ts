import { installSchemas } from '../../../src/install/installer.ts'
import { createLiveness, livenessSchema } from '../../../src/liveness/index.ts'
import { livenessModel } from '../../../src/liveness/model.ts'
import { createOutbox, outboxSchema } from '../../../src/outbox/index.ts'
import type { Driver } from '../../../src/port/driver.ts'
import { equal } from '../../../src/testing/assert.ts'
import type { Engine } from '../../../src/testing/index.ts'
import { type Operation, options, type Watched } from './operations.ts'

export interface Comparison {
  readonly sequences: number
  /** The first sequence after which the SQL and the model differ. */
  readonly difference?: { readonly sequence: string; readonly error: unknown }
}

/**
 * Runs every sequence of up to `depth` operations, behind each beginning, on the SQL and on the model, and compares the
 * last answer, all subjects, outages and alerts. `wrap` puts something between the module and the database: that is how a
 * changed statement is tried.
 */
export async function compare(given: {
  engine: Engine
  beginnings: readonly (readonly Operation[])[]
  operations: readonly Operation[]
  depth: number
  wrap?: (driver: Driver) => Driver
}): Promise<Comparison> {
  const { engine, beginnings, operations, depth, wrap = (driver) => driver } = given
  const { driver, snapshot, dispose } = await engine.open()
  let sequences = 0
  try {
    await installSchemas(driver, [outboxSchema, livenessSchema])
    const fresh = snapshot!()
    for (const beginning of beginnings) {
      for (const rest of sequencesOf(operations, depth)) {
        if (!fresh()) throw new Error('the snapshot could not be brought back')
        const sequence = [...beginning, ...rest]
        sequences += 1
        try {
          equal(await outcome(onSql(wrap(driver)), sequence), await expected(sequence))
        } catch (error) {
          return { sequences, difference: { sequence: sequence.map(({ name }) => name).join(' > '), error } }
        }
      }
    }
    return { sequences }
  } finally {
    await dispose()
  }
}

interface Told extends Watched {
  /** Alerts in the order in which they were queued. */
  alerts(): Promise<readonly Alert[]>
}

interface Alert {
  readonly topic: string
  readonly destination: string
  readonly dedupKey: string
  readonly orderingKey: string | null
  readonly payload: unknown
  readonly state: string
}

/** Later than anything that any sequence queues: all that wait are sent. */
const LATE = 1_000_000

function onSql(driver: Driver): Told {
  const outbox = createOutbox(driver)
  return {
    ...createLiveness(driver, options),
    async deliver() {
      const leased = await outbox.lease({ limit: 100, ttl: 10, now: LATE })
      if (leased.ok) for (const message of leased.messages) await outbox.sent(message, { now: LATE })
    },
    async alerts() {
      const { messages } = await outbox.list({ limit: 1000 })
      return messages.map((row) => ({ ...row, payload: JSON.parse(row.payload) as unknown })).reverse()
    },
  }
}

function onModel(): Told {
  const model = livenessModel(options)
  return { ...model, alerts: async () => model.alerts() }
}

/** The model is asked for the same sequences again and again: once is enough. */
const known = new Map<string, unknown>()

async function expected(sequence: readonly Operation[]): Promise<unknown> {
  const name = sequence.map((each) => each.name).join(' > ')
  if (!known.has(name)) known.set(name, await outcome(onModel(), sequence))
  return known.get(name)
}

async function outcome(watched: Told, sequence: readonly Operation[]): Promise<unknown> {
  let answer: unknown
  for (const { run } of sequence) answer = await run(watched)
  const { subjects } = await watched.status({ limit: 1000, now: 120 })
  const { downtimes } = await watched.downtimes({ limit: 1000 })
  const alerts = await watched.alerts()
  const sorted = [...downtimes].sort((left, right) => (place(left) < place(right) ? -1 : 1))
  return named(
    {
      answer: withoutDuration(answer),
      subjects,
      downtimes: sorted,
      alerts: [...alerts]
        .sort(bySubject)
        .map(({ topic, destination, dedupKey, orderingKey, payload, state }) => ({
          topic,
          destination,
          dedupKey,
          orderingKey,
          payload,
          state,
        })),
    },
    sorted.map(({ id }) => id),
  )
}

const place = (row: { detectedAt: number; subject: string; startedAt: number; endedAt: number | null }) =>
  JSON.stringify([row.detectedAt, row.subject, row.startedAt, row.endedAt])

/** The order within a subject counts; between subjects of one check there is none. */
const bySubject = (left: Alert, right: Alert) => {
  const [one, other] = [left.orderingKey ?? '', right.orderingKey ?? '']
  return one === other ? 0 : one < other ? -1 : 1
}

/** How long the check took is the machine's matter. */
function withoutDuration(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || !('verdict' in answer)) return answer
  const { durationMs: _, ...rest } = answer as Record<string, unknown>
  return rest
}

/** Ids are drawn: each outage is named by its place instead. */
function named(value: unknown, ids: readonly string[]): unknown {
  let text = JSON.stringify(value)
  for (const [index, id] of ids.entries()) text = text.replaceAll(id, `#${index}`)
  return JSON.parse(text) as unknown
}

/** Shorter ones first. */
function* sequencesOf(operations: readonly Operation[], depth: number): Generator<readonly Operation[]> {
  if (depth > 1) yield* sequencesOf(operations, depth - 1)
  yield* sequencesOfExactly(operations, depth)
}

function* sequencesOfExactly(
  operations: readonly Operation[],
  depth: number,
): Generator<readonly Operation[]> {
  const beginnings = depth === 1 ? [[]] : sequencesOfExactly(operations, depth - 1)
  for (const beginning of beginnings) for (const each of operations) yield [...beginning, each]
}
