import type { Row } from '../../../src/port/driver.ts'
import { equal, ok } from '../../../src/testing/assert.ts'
import type { ActorOutcome } from '../../../src/testing/index.ts'
import type { Verb } from './verbs.ts'
import type { State } from './world.ts'

/** What must hold of the rows at any moment, and of what the verbs said. */

const open = ({ downtimes }: State, subject: string) =>
  downtimes.filter((row) => row.subject_id === subject && row.ended_at === null)

/** No up with an open row, no down without one; nobody has two; what was removed has none. */
export function checkAgreement(state: State): void {
  for (const [id, row] of state.subjects) {
    const rows = open(state, id).length
    equal(rows, row.state === 'down' ? 1 : 0, `${id} is ${row.state}: open rows`)
  }
  for (const row of state.downtimes) {
    if (row.ended_at === null)
      ok(state.subjects.has(String(row.subject_id)), `${row.subject_id} is gone, its row is open`)
    else ok(Number(row.ended_at) >= Number(row.started_at), 'a negative outage')
  }
}

/** Each announced transition has one alert for each destination, and nothing else has one. */
export function checkAlerts(state: State, destinations: readonly string[]): void {
  const expected = new Set<string>()
  for (const row of state.downtimes) {
    for (const destination of destinations) {
      const down = `down:${row.id}:${destination}`
      const up = `up:${row.id}:${destination}`
      const told = state.alerts.get(down)
      if (row.suppressed_by !== null) continue
      ok(told, `no alert ${row.subject_id} down`)
      expected.add(down)
      if (row.ended_at === null) equal(told.state === 'cancelled', false, 'taken back while it lasts')
      else if (row.end_reason === 'removed')
        ok(told.state !== 'pending', 'still to be said of what was removed')
      else if (told.state === 'cancelled') ok(!state.alerts.has(up), 'an end of what nobody was told')
      else {
        ok(state.alerts.has(up), `no alert that ${row.subject_id} is back (${row.end_reason})`)
        expected.add(up)
      }
    }
  }
  for (const key of state.alerts.keys()) ok(expected.has(key), `an alert that nothing caused: ${key}`)
}

export interface Deed {
  readonly verb: Verb
  readonly run: string
  readonly now: number
  readonly outcome: ActorOutcome
  /** It crashed, or an answer to it was lost. */
  readonly crashed: boolean
}

type Told = Readonly<Record<string, unknown>>

const told = ({ outcome }: Deed): Told | undefined =>
  outcome.state === 'returned' ? (outcome.value as Told) : undefined

/** The sums of what was said are what the tables gained; less only where an answer was lost. */
export function checkSums(deeds: readonly Deed[], before: State, after: State): void {
  const crashed = deeds.some((deed) => deed.crashed)
  const gained = after.downtimes.length - before.downtimes.length
  const ended = closedIn(after) - closedIn(before)
  const queued = after.alerts.size - before.alerts.size
  const opened = sum(deeds, openedBy)
  const closed = sum(deeds, closedBy)
  const alerts = sum(deeds, (deed) =>
    deed.verb.kind === 'check' ? Number(told(deed)?.alertsQueued ?? 0) : 0,
  )
  ok(
    opened <= gained && closed <= ended && alerts <= queued,
    `said ${opened}, ${closed}, ${alerts}; written ${gained}, ${ended}, ${queued}`,
  )
  if (!crashed) equal([opened, closed], [gained, ended], 'opened and closed, said and written')
  if (deeds.every(({ verb }) => verb.kind === 'check') && !crashed)
    equal(alerts, queued, 'alerts, said and written')
}

function openedBy(deed: Deed): number {
  const answer = told(deed)
  if (answer === undefined || answer.ok !== true) return 0
  if (deed.verb.kind === 'check') return Number(answer.opened)
  return deed.verb.kind === 'fail' && answer.opened !== null ? 1 : 0
}

function closedBy(deed: Deed): number {
  const answer = told(deed)
  if (answer === undefined || answer.ok !== true) return 0
  if (deed.verb.kind === 'check') return Number(answer.closed)
  if (deed.verb.kind === 'beatMany') return (answer.closed as unknown[]).length
  return answer.closed != null ? 1 : 0
}

/** What a check said is what it wrote down of itself; where its answer was lost, that is where it stands. */
export function checkRecords(deeds: readonly Deed[], after: State): void {
  for (const deed of deeds.filter(({ verb }) => verb.kind === 'check')) {
    const record = after.checks.find((row) => row.run === deed.run)
    const answer = told(deed)
    if (answer?.ok === true) {
      ok(record, `no record of ${deed.run}`)
      const { opened, closed, alerts_queued, raced } = record
      equal(
        [opened, closed, alerts_queued, raced],
        [answer.opened, answer.closed, answer.alertsQueued, answer.raced],
        'record',
      )
    }
    if (record !== undefined) {
      const own = after.downtimes.filter((row) => row.opened_run === deed.run).length
      equal(Number(record.opened), own, 'rows that the run opened, and its record')
    }
  }
}

/** What a repair ended is counted as a repair. */
const closedIn = ({ downtimes }: State) =>
  downtimes.filter((row: Row) => row.ended_at !== null && row.end_reason !== 'repaired').length
const sum = (deeds: readonly Deed[], count: (deed: Deed) => number) =>
  deeds.reduce((total, deed) => total + count(deed), 0)

/** A beat that was counted before a check wrote is no outage of that check's. */
export function checkBeats(deeds: readonly Deed[], history: readonly State[]): void {
  for (const [index, after] of history.entries()) {
    const before = history[index - 1]
    if (before === undefined) continue
    for (const row of after.downtimes) {
      if (before.downtimes.some(({ id }) => id === row.id) || row.cause !== 'silent') continue
      const subject = before.subjects.get(String(row.subject_id))
      ok(subject, 'an outage of what was not there')
      const { deadline, state } = subject
      ok(
        deadline !== null && Number(deadline) <= Number(row.detected_at),
        `${row.subject_id} was alive when it was opened`,
      )
      ok(state === 'up' || state === 'down', `opened while ${state}`)
    }
  }
  for (const deed of deeds) {
    const answer = told(deed)
    if (deed.verb.kind === 'beat' && answer?.ok === true) ok(answer.state !== 'down', 'beat, and still down')
  }
}
