import type { Outage } from '../../fleet/history/history.ts'
import type { Device, Ping } from '../../fleet/types.ts'
import type { OverHttp } from '../output/http.ts'
import { outPaint, printFields, printLine } from '../output/print.ts'
import { elapsed, figure, relative, roughly } from '../output/times.ts'
import { printable } from '../output/width.ts'
import type { Session } from '../session.ts'

/** A device as the hub gives it; its address only to those who may write. */
export type Shown = OverHttp<Omit<Device, 'uuid'>> & { readonly pingUrl?: string }

export interface ShownWhole extends Shown {
  readonly recentPings: readonly OverHttp<Ping>[]
  readonly downtimes: readonly OverHttp<Outage>[]
}

const MOST_PINGS = 10
const MOST_OUTAGES = 5

export function printDevice(session: Session, device: ShownWhole): void {
  const when = (at: string) => `${relative(at, session.now())}  (${at})`
  const { name, schedule, timezone, pingUrl, parent, maintenanceUntil, skewMs, runningSinceAt } = device
  const expected =
    schedule === null ? `every ${roughly(device.periodMs)}` : `${schedule}  (${timezone ?? 'UTC'})`
  printFields(session, [
    ['device', device.id],
    ...some('name', name),
    ['state', device.late ? 'late' : device.state],
    ['since', when(device.stateChangedAt)],
    ['last seen', device.lastSeenAt === null ? 'never' : when(device.lastSeenAt)],
    ['expected', `${expected}, and ${roughly(device.graceMs)} of grace`],
    ...some('down at', device.deadlineAt === null ? null : when(device.deadlineAt)),
    ['beats', figure(device.beats)],
    ...some('tags', device.tags.length === 0 ? null : device.tags.join(' ')),
    ...some('parent', parent),
    ...some('maintenance', maintenanceUntil === null ? null : `until ${maintenanceUntil}`),
    ...some('running since', runningSinceAt === null ? null : when(runningSinceAt)),
    ...some('its clock', skewMs === null || Math.abs(skewMs) < 60_000 ? null : skewText(skewMs)),
    ...some('address', pingUrl ?? null),
  ])
  printOutages(session, device.downtimes)
  printPings(session, device.recentPings)
}

const some = (name: string, value: string | null) => (value === null ? [] : [[name, value] as const])

const skewText = (ms: number) => `${elapsed(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'}`

function printOutages(session: Session, outages: ShownWhole['downtimes']): void {
  for (const { startedAt, endedAt, durationMs, cause, reason } of outages.slice(0, MOST_OUTAGES)) {
    const lasted = endedAt === null || durationMs === null ? 'lasts' : `lasted ${elapsed(durationMs)}`
    const why = reason === null ? cause : `${cause}: ${reason}`
    printLine(session, `${outPaint(session)('red', 'down')}  ${startedAt}  ${lasted}  ${printable(why)}`)
  }
}

function printPings(session: Session, pings: ShownWhole['recentPings']): void {
  for (const { kind, receivedAt, method, exitStatus, durationMs, remote } of pings.slice(0, MOST_PINGS)) {
    const parts = [
      ...(exitStatus === null ? [] : [`exit ${exitStatus}`]),
      ...(durationMs === null ? [] : [`took ${elapsed(durationMs)}`]),
      ...(remote === null ? [] : [`from ${remote}`]),
    ]
    const line = `${kind.padEnd(7)}  ${receivedAt}  ${method}  ${parts.join(', ')}`
    printLine(session, outPaint(session)('dim', printable(line).trimEnd()))
  }
}
