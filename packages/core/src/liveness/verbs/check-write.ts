import { GuardError, UnavailableError } from '../../errors.ts'
import type { Row, Statement, Value } from '../../port/driver.ts'
import { integer, text } from '../../port/row.ts'
import type { Proposal } from '../classify.ts'
import type { Parts } from '../liveness.ts'
import type { ProposalItem } from '../statements/open.ts'
import type { Around, Page } from './check-read.ts'

export interface Call {
  readonly run: string
  readonly now: number | null
  readonly also: readonly Statement[]
}

/** What a check has done so far. All but the first three are rows that came back. */
export interface Totals {
  readonly checked: number
  readonly newlyDown: number
  readonly recovered: number
  readonly opened: number
  readonly closed: number
  readonly alertsQueued: number
  readonly suppressed: number
  readonly repaired: number
  /** Proposed as down, and open already. */
  readonly already: number
}

export const NOTHING: Totals = {
  checked: 0,
  newlyDown: 0,
  recovered: 0,
  opened: 0,
  closed: 0,
  alertsQueued: 0,
  suppressed: 0,
  repaired: 0,
  already: 0,
}

/** States and outages that disagree are brought in line. @returns how many. */
export async function repair({ driver, lists, settings }: Parts, { now, run }: Call): Promise<number> {
  const { repairUp, repairDown, closeStray } = lists.text
  const values = { ...lists.given(now, run), limit: settings.batch }
  const results = await driver.batch([repairUp, repairDown, closeStray].map((each) => each.with(values)))
  return results.flat().length
}

interface Given {
  readonly around: Around
  readonly page: Page
  readonly totals: Totals
  /** The first page of the check. */
  readonly first: boolean
}

type Named = readonly (readonly [string, Statement])[]

/** Writes what a page proposed, in one batch. @returns what the check has done so far. */
export async function writePage(
  parts: Parts,
  call: Call,
  given: Given,
): Promise<Totals | 'woken by another'> {
  const { found, checked } = given.page
  const totals: Totals = {
    ...given.totals,
    checked: given.totals.checked + checked,
    newlyDown: given.totals.newlyDown + found.newlyDown.length,
    recovered: given.totals.recovered + found.recovered.length,
  }
  const named = batchOf(parts, call, { ...given, totals })
  try {
    const results = await parts.driver.batch([...named.map(([, statement]) => statement), ...call.also])
    const rows = new Map(named.map(([name], index) => [name, results[index]!]))
    return plus(totals, (name) => rows.get(name) ?? [], call.run)
  } catch (error) {
    if (error instanceof GuardError && named[error.index]?.[0] === 'wake') return 'woken by another'
    if (error instanceof UnavailableError && error.applied === 'unknown') {
      const written = await recorded(parts, call, totals).catch(() => null)
      if (written !== null) return written
    }
    throw error
  }
}

function batchOf({ lists, settings }: Parts, call: Call, { around, page, totals, first }: Given): Named {
  const { text: texts } = lists
  const { found, more } = page
  const values: Readonly<Record<string, Value>> = {
    ...lists.given(call.now, call.run),
    ...totals,
    proposals: JSON.stringify(found.newlyDown.map(item)),
    muted: found.verdict === 'massSuspect' ? 'mass' : null,
    verdict: found.verdict,
    limit: settings.batch,
    lastTick: around.tick.lastTick ?? null,
    suspectSince: found.suspectSince,
  }
  const of = (...names: readonly (keyof typeof texts)[]): Named =>
    names.map((name) => [name, texts[name].with(values)])
  // The blind time in front of the waking: whoever is not the first to wake takes it back, and what a kill leaves is harmless.
  const wakes: Named = [...of('blind'), ['wake', texts.wake.with(values, 1)]]
  return [
    ...(first && around.asleep ? wakes : []),
    ...(found.newlyDown.length > 0 ? of('open', 'fall', 'openAlready') : []),
    ...(found.recovered.length > 0 ? of('rise') : []),
    ...of('closeReturned', 'decide', 'unmute', 'downAlerts', 'told', 'takeBack', 'upAlerts', 'toldEnd'),
    ...(more ? [] : of('massAlerts', 'toldMass')),
    ...of('record'),
    ...(first && !around.asleep ? of('tick') : []),
  ]
}

function plus(totals: Totals, rows: (name: string) => readonly Row[], run: string): Totals {
  const opened = rows('open').length
  const own = rows('decide').filter((row) => text(row, 'opened_run') === run)
  const muted = own.filter((row) => row.suppressed_by !== null).length
  return {
    ...totals,
    opened: totals.opened + opened,
    closed: totals.closed + rows('closeReturned').length,
    alertsQueued:
      totals.alertsQueued + rows('downAlerts').length + rows('upAlerts').length + rows('massAlerts').length,
    // What is told as one with others is not decided about one by one.
    suppressed: totals.suppressed + muted + (opened - own.length),
    already: totals.already + rows('openAlready').length,
  }
}

/** After a lost answer: what the run wrote down of itself, if this page was written; null if it was not. */
async function recorded(
  { driver, lists, settings }: Parts,
  { run }: Call,
  totals: Totals,
): Promise<Totals | null> {
  const [row] = await driver.execute(lists.text.recorded.with({ run, scope: settings.scope }))
  if (row === undefined) return null
  const same = { checked: 'checked', newlyDown: 'newly_down', recovered: 'recovered' } as const
  for (const [field, column] of Object.entries(same)) {
    if (totals[field as keyof typeof same] !== integer(row, column)) return null
  }
  const opened = integer(row, 'opened')
  return {
    ...totals,
    opened,
    closed: integer(row, 'closed'),
    alertsQueued: integer(row, 'alerts_queued'),
    suppressed: integer(row, 'suppressed'),
    already: totals.newlyDown - opened - integer(row, 'raced'),
  }
}

function item({ id, reason, effectiveAt, guard }: Proposal): ProposalItem {
  return {
    id,
    downtime: crypto.randomUUID(),
    started: effectiveAt,
    cause: reason === 'never appeared' ? reason : 'silent',
    beats: guard.beats,
    seen: guard.lastSeen,
  }
}
