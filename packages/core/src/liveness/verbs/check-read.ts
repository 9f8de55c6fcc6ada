import type { Row } from '../../port/driver.ts'
import { integer, integerOrNull, text } from '../../port/row.ts'
import { type Classification, classify, type Reading, type Thresholds, type Tick } from '../classify.ts'
import type { Settings } from '../input/settings.ts'
import type { Parts } from '../liveness.ts'
import type { SubjectState } from '../types.ts'

/** What a check knows before it looks at any subject. */
export interface Around {
  /** The instant that it is judged by. */
  readonly at: number
  readonly tick: Tick
  /** How many checks there were. */
  readonly ticks: number
  /** The checker was away: nobody is looked at who may be silent. */
  readonly asleep: boolean
}

/** Where a page begins: behind this deadline and id. */
export interface Place {
  readonly afterDeadline: number
  readonly afterId: string
}

export const FIRST: Place = { afterDeadline: -1, afterId: '' }

export interface Page {
  readonly found: Classification
  /** Due rows that were examined. */
  readonly checked: number
  /** There may be more of those who are due. */
  readonly more: boolean
  /** There may be more of those who came back. */
  readonly moreBack: boolean
  readonly next: Place
  /** For the next page. */
  readonly around: Around
}

export async function lookAround({ driver, lists, settings }: Parts, now: number | null): Promise<Around> {
  const [row] = (await driver.execute(lists.text.checker.with({ scope: settings.scope, now }))) as [Row]
  const at = integer(row, 'judged_at')
  const tick: Tick = {
    everyMs: settings.everyMs,
    lastTick: integerOrNull(row, 'last_tick'),
    rearmedAt: integerOrNull(row, 'rearmed_at'),
    suspectSince: integerOrNull(row, 'suspect_since'),
  }
  const asleep = classify([], at, thresholds(settings), tick).verdict === 'catchUp'
  return { at, tick, ticks: integerOrNull(row, 'ticks') ?? 0, asleep }
}

/** One page of those who are due, those who came back, and what is proposed for them. */
export async function readPage(parts: Parts, given: Around, place: Place): Promise<Page> {
  const { driver, lists, settings } = parts
  const values = {
    scope: settings.scope,
    now: given.at,
    rearmedAt: given.tick.rearmedAt ?? null,
    limit: settings.batch,
  }
  const due = given.asleep ? [] : await driver.execute(lists.text.due.with({ ...values, ...place }))
  const counted = place === FIRST ? await count(parts, values, due.length) : {}
  const around = { ...given, tick: { ...given.tick, ...counted } }
  const back = await driver.execute(lists.text.returned.with(values))
  const found = classify([...due, ...back].map(reading), given.at, thresholds(settings), around.tick)
  const held = found.unchanged.filter(({ reason }) => reason === 'held').length
  const last = due.at(-1)
  return {
    found,
    checked: found.newlyDown.length + (held > 0 ? (around.tick.due ?? held) : 0),
    more: due.length === settings.batch && held === 0,
    moreBack: back.length === settings.batch,
    next:
      last === undefined ? place : { afterDeadline: integer(last, 'deadline'), afterId: text(last, 'id') },
    around,
  }
}

/** How many are due and up in all: only where there could be a mass outage, and of the fleet no more than decides about it. */
async function count(
  { driver, lists, settings }: Parts,
  values: { readonly scope: string; readonly now: number; readonly rearmedAt: number | null },
  read: number,
): Promise<Pick<Tick, 'due' | 'up'>> {
  const { mass, batch } = settings
  if (read < batch && read < mass.least) return {}
  const subjects = (rows: readonly Row[]) => integer(rows[0]!, 'subjects')
  const due = read < batch ? read : subjects(await driver.execute(lists.text.dueCount.with(values)))
  if (due < mass.least) return { due }
  const limit = Math.ceil(due / mass.share) + 1
  return { due, up: subjects(await driver.execute(lists.text.upCount.with({ ...values, limit }))) }
}

function reading(row: Row): Reading {
  return {
    id: text(row, 'id'),
    state: text(row, 'state') as SubjectState,
    lastSeen: integerOrNull(row, 'last_seen'),
    beats: integer(row, 'beats'),
    armedAt: integer(row, 'armed_at'),
    downAfterMs: integer(row, 'down_after_ms'),
    lateAfterMs: integer(row, 'late_after_ms'),
    deadline: integerOrNull(row, 'deadline'),
    ...('down_since' in row && { downSince: integerOrNull(row, 'down_since') }),
  }
}

function thresholds({ downAfterMs, mass }: Settings): Thresholds {
  return { downAfterMs, mass }
}
