import type { AlertRow, DowntimeRow, Fleet, SubjectRow } from './model-rows.ts'
import { openOf } from './model-rows.ts'

/** What the model needs to know to announce. */
export interface AlertRules {
  readonly scope: string
  readonly episodeWindowMs: number
  readonly flapping: { readonly changes: number; readonly withinMs: number }
  readonly announceTo: readonly string[]
}

/** Why an outage that opens now is not announced; null where it is. */
export function mutedBy(
  fleet: Fleet,
  row: SubjectRow,
  outage: DowntimeRow,
  rules: AlertRules,
): string | null {
  const now = outage.detectedAt
  if ((row.maintenanceUntil ?? 0) > now) return 'maintenance'
  if (row.parent !== null && fleet.subjects.get(row.parent)?.state === 'down') return 'parent'
  if (isFlapping(fleet, row.id, now, rules)) return 'flapping'
  const before = fleet.downtimes.some(
    (other) => other !== outage && other.episode === outage.episode && isAnnounced(fleet, other),
  )
  return before ? 'episode' : null
}

/** As many openings and endings as the rule says, this one included, since `withinMs` ago. */
export function isFlapping(
  { downtimes }: Fleet,
  subject: string,
  now: number,
  { flapping }: AlertRules,
): boolean {
  const since = now - flapping.withinMs
  const instants = downtimes
    .filter((row) => row.subject === subject)
    .flatMap(({ detectedAt, endedAt }) => [detectedAt, endedAt ?? Number.NEGATIVE_INFINITY])
  return instants.filter((at) => at > since).length >= flapping.changes
}

/** Its down was queued, and has not been taken back. */
export function isAnnounced({ alerts }: Fleet, { id }: DowntimeRow): boolean {
  return alerts.some((alert) => alert.dedupKey.startsWith(`down:${id}:`) && alert.state !== 'cancelled')
}

/** One alert for each destination. @returns how many. */
export function announce(
  fleet: Fleet,
  way: 'down' | 'up',
  row: SubjectRow,
  outage: DowntimeRow,
  { scope, announceTo }: AlertRules,
): number {
  const { id, tags } = row
  const { label, cause, reason, startedAt, detectedAt, endedAt, durationMs, episode } = outage
  const payload = {
    scope,
    subject: id,
    label,
    tags,
    downtime: outage.id,
    cause,
    reason,
    startedAt,
    detectedAt,
    endedAt,
    durationMs,
    episode,
  }
  for (const destination of announceTo) {
    const dedupKey = `${way}:${outage.id}:${destination}`
    const orderingKey = `${scope}:${id}:${destination}`
    fleet.alerts.push({
      topic: `subject.${way}`,
      destination,
      dedupKey,
      orderingKey,
      payload,
      state: 'pending',
    })
  }
  return announceTo.length
}

/** Tells the end of what was announced; what nobody has been told is taken back instead. @returns how many were queued. */
export function announceEnd(fleet: Fleet, row: SubjectRow, outage: DowntimeRow, rules: AlertRules): number {
  const told = rules.announceTo.filter((destination) => !takeBack(fleet, `down:${outage.id}:${destination}`))
  if (!isAnnounced(fleet, outage)) return 0
  return announce(fleet, 'up', row, outage, { ...rules, announceTo: told })
}

function takeBack({ alerts }: Fleet, dedupKey: string): boolean {
  const found = alerts.filter((alert) => alert.dedupKey === dedupKey && alert.state === 'pending')
  for (const alert of found) alert.state = 'cancelled'
  return found.length > 0
}

/** What a removed subject has still to say is said no more. */
export function takeBackAll({ alerts }: Fleet, subject: string): void {
  for (const alert of alerts as AlertRow[]) {
    if (alert.payload.subject === subject && alert.state === 'pending') alert.state = 'cancelled'
  }
}

/** Outages that were muted while it was flapping, and which last. @returns how many alerts were queued. */
export function announceLasting(fleet: Fleet, now: number, rules: AlertRules): number {
  let queued = 0
  for (const row of fleet.subjects.values()) {
    const outage = openOf(fleet, row.id)
    if (outage?.suppressedBy !== 'flapping' || isFlapping(fleet, row.id, now, rules)) continue
    outage.suppressedBy = null
    queued += announce(fleet, 'down', row, outage, rules)
  }
  return queued
}
