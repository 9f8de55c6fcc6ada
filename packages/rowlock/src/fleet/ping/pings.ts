import { type Driver, GuardError, type Statement } from '@rowlock/core'
import type { BeatOutcome, FailOutcome } from '@rowlock/core/liveness'
import type { Ground } from '../../ground.ts'
import type { Metrics } from '../../metrics.ts'
import { dueAfter } from '../device/plan.ts'
import type { DeviceWriter } from '../device/writer.ts'
import { deviceByUuid, devicesBySlug, type PingedRow, pingsOf } from '../queries.ts'
import type { PingRow } from '../rows.ts'
import { KEPT_PINGS, pingStatements } from '../statements/pings.ts'
import type { Ping, PingKind } from '../types.ts'
import type { Watch } from '../watch.ts'
import type { PingKeys } from './keys.ts'
import type { Signal } from './signal.ts'

/** What is kept of the request that brought a ping. */
export interface PingRequest {
  readonly method: string
  readonly remote: string | null
  readonly agent: string | null
  readonly body: string | null
}

/** An answer in the words that clients of Healthchecks know. */
export interface PingAnswer {
  readonly status: 200 | 201 | 400 | 404 | 409 | 413 | 429
  readonly text: string
  readonly retryAfterMs?: number
  /** The key is no project's: counted against who sent it. */
  readonly wrongKey?: boolean
}

export interface Pings {
  /** @throws UnavailableError when the database could not be asked. */
  take(signal: Signal, request: PingRequest): Promise<PingAnswer>
  /** The last pings, newest first; at most 100 are kept. */
  of(project: number, device: string, limit?: number): Promise<readonly Ping[]>
}

export interface PingsOptions {
  readonly driver: Driver
  readonly watch: Watch
  readonly writer: DeviceWriter
  readonly pingKeys: PingKeys
  readonly metrics: Metrics
  /** A device may have gone down or come up: there may be something to deliver. */
  onWork(): void
}

/** A job that was never heard of is made with the figures that Healthchecks gives it. */
const NEW_JOB = { periodMs: 24 * 3_600_000, graceMs: 3_600_000, manualResume: false }

const NOT_FOUND: PingAnswer = { status: 404, text: 'not found' }

type Found = { readonly device: PingedRow; readonly created: boolean }

export function createPings({ reader, clock, now }: Ground, options: PingsOptions): Pings {
  const { driver, watch, writer, pingKeys, metrics, onWork } = options
  const statements = pingStatements(driver.dialect)

  const find = async ({ target, create }: Signal): Promise<Found | PingAnswer> => {
    if ('uuid' in target) {
      const device = await deviceByUuid(reader, target.uuid)
      return device === undefined ? NOT_FOUND : { device, created: false }
    }
    const project = await pingKeys.projectOf(target.key)
    if (project === undefined) return { ...NOT_FOUND, wrongKey: true }
    const [first, second] = await devicesBySlug(reader, project, target.slug)
    if (second !== undefined) return { status: 409, text: 'ambiguous slug' }
    if (first !== undefined) return { device: first, created: false }
    if (!create) return NOT_FOUND
    const made = await writer.make(project, { id: target.slug, slug: target.slug, ...NEW_JOB })
    // No row: somebody has just made one of this name, or one of this id has another slug.
    const [device] = await devicesBySlug(reader, project, target.slug)
    return device === undefined ? { status: 409, text: 'ambiguous slug' } : { device, created: made }
  }

  const written = (device: PingedRow, kind: PingKind, signal: Signal, request: PingRequest): Statement[] => {
    const { rid, exitStatus } = signal
    const common = { project: device.project, device: device.id, kind, rid, now: now() }
    return [
      statements.count.with(common, 1),
      statements.keep.with({ ...common, exitStatus, kept: KEPT_PINGS, ...request }, 1),
    ]
  }

  /** True where the device is there. */
  const act = async (device: PingedRow, kind: PingKind, exitStatus: number | null, also: Statement[]) => {
    const liveness = watch.of(device.project)
    if (kind === 'start' || kind === 'log' || kind === 'ignored') {
      await driver.batch(also)
      return true
    }
    if (device.state === 'paused' && device.manual_resume === 0) {
      const resumed = await watch.resume(device, clock())
      if (!resumed.ok && resumed.reason === 'unknown') throw resumed.cause
    }
    const due = dueAfter(device, clock())
    const reason = exitStatus === null ? 'it reported a failure' : `exit status ${exitStatus}`
    const outcome: BeatOutcome | FailOutcome =
      kind === 'fail'
        ? await liveness.fail(device.id, { reason, ...due, also })
        : await liveness.beat(device.id, { ...due, also })
    if (outcome.ok) {
      if ('opened' in outcome ? outcome.opened !== null : outcome.closed !== null) onWork()
      return true
    }
    if (outcome.reason === 'unknown') throw outcome.cause
    return false
  }

  return {
    async take(signal, request) {
      const found = await find(signal)
      if ('status' in found) return found
      const { device, created } = found
      const kind = device.post_only === 1 && request.method !== 'POST' ? 'ignored' : signal.kind
      try {
        const also = written(device, kind, signal, request)
        if (!(await act(device, kind, signal.exitStatus, also))) return NOT_FOUND
      } catch (error) {
        // The device was removed between the look and the write.
        if (error instanceof GuardError) return NOT_FOUND
        throw error
      }
      metrics.add('pings_total', 1)
      return created ? { status: 201, text: 'Created' } : { status: 200, text: 'OK' }
    },
    of: async (project, device, limit = KEPT_PINGS) =>
      (await pingsOf(reader, project, device, limit)).map(ping),
  }
}

function ping(row: PingRow): Ping {
  return {
    n: row.n,
    kind: row.kind as PingKind,
    rid: row.rid,
    exitStatus: row.exit_status,
    durationMs: row.duration_ms,
    method: row.method,
    remote: row.remote,
    agent: row.agent,
    body: row.body,
    receivedAt: row.received_at,
  }
}
