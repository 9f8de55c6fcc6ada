import {
  type CheckOutcome,
  createLiveness,
  type Downtime,
  type Liveness,
  type LivenessOptions,
  type Subject,
  type Uptime,
} from '../../../liveness/index.ts'
import { createOutbox, type StoredMessage } from '../../../outbox/index.ts'
import type { Driver } from '../../../port/driver.ts'
import { fail, show } from '../../assert.ts'

export const MINUTE = 60_000
const FIRST = 1_000_000_000_000

/** The instant so many minutes after the first. */
export const at = (minutes: number): number => FIRST + minutes * MINUTE

/** Down after five minutes, alerts to `ops`, and ticks so far apart that no gap between two checks is a sleep. */
export function livenessOn(driver: Driver, options: LivenessOptions = {}): Liveness {
  return createLiveness(driver, { downAfter: '5m', every: '1d', announceTo: ['ops'], ...options })
}

/** The same with a check each minute. */
export const tickingOn = (driver: Driver, options: LivenessOptions = {}): Liveness =>
  livenessOn(driver, { every: '1m', ...options })

/** An outcome that must be a yes. */
export async function given<Outcome extends { readonly ok: boolean }>(
  outcome: Promise<Outcome>,
): Promise<Extract<Outcome, { readonly ok: true }>> {
  const answer = await outcome
  if (answer.ok) return answer as Extract<Outcome, { readonly ok: true }>
  fail(`expected ok; got ${show(answer)}`)
}

export type Summary = Extract<CheckOutcome, { readonly ok: true }>

/** One check at this minute. */
export const checkAt = (liveness: Liveness, minutes: number): Promise<Summary> =>
  given(liveness.check({ now: at(minutes) }))

/** A check at each of these minutes, first and last included. */
export async function ticks(liveness: Liveness, from: number, to: number): Promise<Summary[]> {
  const summaries: Summary[] = []
  for (let minute = from; minute <= to; minute += 1) summaries.push(await checkAt(liveness, minute))
  return summaries
}

type Counted =
  | 'checked'
  | 'newlyDown'
  | 'recovered'
  | 'opened'
  | 'closed'
  | 'alertsQueued'
  | 'raced'
  | 'suppressed'
  | 'repaired'

/** What summaries say together. */
export function sum(summaries: readonly Summary[], field: Counted): number {
  return summaries.reduce((total, summary) => total + summary[field], 0)
}

/** Up since `minutes`. */
export async function alive(liveness: Liveness, ids: readonly string[], minutes = 0): Promise<void> {
  for (const id of ids) await given(liveness.beat(id, { register: {}, now: at(minutes) }))
}

export const names = (count: number, prefix = 'tv'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(4, '0')}`)

/** Many at once, up since `minutes`. */
export async function fleetOf(liveness: Liveness, ids: readonly string[], minutes = 0): Promise<void> {
  await given(
    liveness.registerMany(
      ids.map((id) => ({ id })),
      { now: at(minutes) },
    ),
  )
  await beatAll(liveness, ids, minutes)
}

export async function beatAll(liveness: Liveness, ids: readonly string[], minutes: number): Promise<void> {
  await given(
    liveness.beatMany(
      ids.map((id) => ({ id })),
      { now: at(minutes) },
    ),
  )
}

/** Down since a check at `minutes`, silent since five minutes before. */
export async function downAt(liveness: Liveness, id: string, minutes: number): Promise<void> {
  await alive(liveness, [id], minutes - 5)
  const { opened } = await checkAt(liveness, minutes)
  if (opened !== 1) fail(`expected ${id} to go down; opened ${opened}`)
}

/** The subject as it stands. */
export async function subjectOf(liveness: Liveness, id: string, minutes = 0): Promise<Subject> {
  const { subjects } = await liveness.status({ ids: [id], now: at(minutes) })
  return subjects[0] ?? fail(`no subject ${id}`)
}

/** Its outages, oldest first. */
export async function outagesOf(liveness: Liveness, subject?: string): Promise<Downtime[]> {
  const { downtimes } = await liveness.downtimes({ ...(subject && { subject }), limit: 1000 })
  return downtimes.toReversed()
}

/** The alerts that were queued, in their order, those that were taken back included. */
export async function alertsOn(driver: Driver): Promise<StoredMessage[]> {
  const { messages } = await createOutbox(driver).list({ limit: 1000 })
  return messages.toReversed()
}

/** Each alert as `topic` and subject, with its state where it is not pending: `subject.down tv`. */
export async function alertNames(driver: Driver): Promise<string[]> {
  return (await alertsOn(driver)).map(({ topic, payload, state }) => {
    const { subject = '' } = JSON.parse(payload) as { subject?: string }
    return `${topic} ${subject}${state === 'pending' ? '' : `, ${state}`}`.trim()
  })
}

/** All alerts that wait are delivered. */
export async function deliverAll(driver: Driver, minutes: number): Promise<void> {
  const outbox = createOutbox(driver)
  for (;;) {
    const leased = await given(outbox.lease({ limit: 1000, ttl: '1m', now: at(minutes) }))
    if (leased.messages.length === 0) return
    for (const message of leased.messages) await given(outbox.sent(message, { now: at(minutes) }))
  }
}

/** How the time between two minutes was spent. */
export async function uptimeOf(
  liveness: Liveness,
  id: string,
  from: number,
  to: number,
  now = to,
): Promise<Uptime> {
  return (
    (await liveness.uptime(id, { from: at(from), to: at(to), now: at(now) })) ?? fail(`no uptime of ${id}`)
  )
}
