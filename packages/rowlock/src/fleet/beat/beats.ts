import { InvalidInputError } from '@rowlock/core'
import type { BeatManyOutcome } from '@rowlock/core/liveness'
import { describe } from '@rowlock/core/module'
import { readTime } from '../../events/time.ts'
import type { Ground } from '../../ground.ts'
import type { Metrics } from '../../metrics.ts'
import type { Devices } from '../device/devices.ts'
import { readId } from '../device/fields.ts'
import { dueAfter } from '../device/plan.ts'
import type { DeviceWriter } from '../device/writer.ts'
import type { Watch } from '../watch.ts'

/** What became of one beat, in the order in which they were sent. */
export type BeatAnswer =
  | {
      readonly ok: true
      readonly device: string
      /** The outage that it ended; null for none. */
      readonly closed: { readonly downtime: string; readonly durationMs: number } | null
    }
  | {
      readonly ok: false
      readonly error: { readonly code: string; readonly message: string; readonly field?: string }
    }

export interface Beats {
  /**
   * Beats of many devices at once: `{ device, at? }` each, `at` being the sender's own time, which judges nothing.
   * What is wrong with one is its own answer.
   * @param options.create makes devices that are not known.
   * @throws UnavailableError when the database could not be asked.
   */
  take(
    project: number,
    given: readonly unknown[],
    options?: { readonly create?: boolean },
  ): Promise<{ readonly items: readonly BeatAnswer[]; readonly created: number }>
}

export interface BeatsOptions {
  readonly watch: Watch
  readonly devices: Devices
  readonly writer: DeviceWriter
  readonly metrics: Metrics
  onWork(): void
}

interface ReadBeat {
  readonly id: string
  readonly sentAt?: number
}

const STEP = 1_000
/** No time of a sender is too far ahead to be shown. */
const LATEST = 8.64e15

export function createBeats({ clock }: Ground, options: BeatsOptions): Beats {
  const { watch, devices, writer, metrics, onWork } = options

  const make = async (project: number, ids: readonly string[]): Promise<number> => {
    if (ids.length === 0) return 0
    const { created } = await writer.save(
      project,
      ids.map((id) => ({ id })),
    )
    return created
  }

  /** What was counted, by device. @throws UnavailableError */
  const count = async (project: number, beats: readonly ReadBeat[], create: boolean) => {
    const ids = [...new Set(beats.map(({ id }) => id))]
    let rows = await devices.rows(project, ids)
    const created = create
      ? await make(
          project,
          ids.filter((id) => !rows.has(id)),
        )
      : 0
    if (created > 0) rows = await devices.rows(project, ids)
    const now = clock()
    const known = beats.flatMap((beat) => {
      const row = rows.get(beat.id)
      return row === undefined ? [] : [{ ...beat, ...dueAfter(row, now) }]
    })
    const outcome: BeatManyOutcome =
      known.length === 0
        ? { ok: true, counted: [], closed: [], missing: [] }
        : await watch.of(project).beatMany(known)
    if (!outcome.ok) throw outcome.cause
    return { ...outcome, created }
  }

  return {
    async take(project, given, { create = false } = {}) {
      const read = given.map(tryToRead)
      const good = read.filter((one): one is ReadBeat => 'id' in one)
      const counted = new Set<string>()
      const closed = new Map<string, { downtime: string; durationMs: number }>()
      let created = 0
      for (let from = 0; from < good.length; from += STEP) {
        const step = await count(project, good.slice(from, from + STEP), create)
        created += step.created
        for (const id of step.counted) counted.add(id)
        for (const { subject, downtime, durationMs } of step.closed)
          closed.set(subject, { downtime, durationMs })
      }
      if (closed.size > 0) onWork()
      const items = read.map((one) => {
        if (!('id' in one)) return one
        if (!counted.has(one.id)) return refusedBeat('NOT_FOUND', `there is no device ${one.id}`, 'device')
        const ended = closed.get(one.id) ?? null
        closed.delete(one.id)
        return { ok: true as const, device: one.id, closed: ended }
      })
      metrics.add('beats_total', items.filter(({ ok }) => ok).length)
      return { items, created }
    },
  }
}

function tryToRead(given: unknown): ReadBeat | Extract<BeatAnswer, { ok: false }> {
  try {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new InvalidInputError('beat', `is ${describe(given)}`, 'an object such as { "device": "tv-17" }')
    }
    const { device, at } = given as { device?: unknown; at?: unknown }
    const id = named('device', () => readId(device))
    return at === undefined || at === null ? { id } : { id, sentAt: readTime(at, LATEST) }
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    return refusedBeat(error.code, error.message, error.details.field)
  }
}

/** The same complaint about a field of another name. */
function named<T>(field: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error
    const { problem, accepted } = error.details
    throw new InvalidInputError(field, String(problem), String(accepted))
  }
}

export function refusedBeat(
  code: string,
  message: string,
  field?: unknown,
): Extract<BeatAnswer, { ok: false }> {
  return { ok: false, error: { code, message, ...(typeof field === 'string' ? { field } : {}) } }
}
