import { InvalidInputError } from '../errors.ts'
import { takeBackAll } from './model-alerts.ts'
import { beatOn, oneForEach } from './model-beat.ts'
import { become, close, open } from './model-changes.ts'
import { check } from './model-check.ts'
import { type ModelOptions, settingsOf } from './model-options.ts'
import { downtimePage, statusPage } from './model-read.ts'
import { change, created, deadlineOf } from './model-register.ts'
import { type AlertRow, type Fleet, openOf } from './model-rows.ts'
import { uptimeOf } from './model-uptime.ts'
import type {
  Beat,
  BeatOptions,
  CallOptions,
  DowntimesOptions,
  Expectations,
  StatusOptions,
  UptimeOptions,
} from './types.ts'

type Call = CallOptions

/**
 * The module over a Map: what every statement means, in plain code. The tests compare the SQL with it, call by call. It
 * knows no `also`, every call needs `now` (or the `clock` option), and nobody else works at the same time.
 */
export function livenessModel(options: ModelOptions = {}) {
  const { rules, defaults } = settingsOf(options)
  const fleet: Fleet = {
    subjects: new Map(),
    downtimes: [],
    alerts: [],
    blind: [],
    lastTick: null,
    rearmedAt: null,
    suspectSince: null,
  }
  const { subjects } = fleet
  const missing = { ok: false, reason: 'missing' } as const
  let runs = 0

  const at = (call: { readonly now?: number } = {}): number => {
    const now = call.now ?? options.clock?.()
    if (now === undefined)
      throw new InvalidInputError('now', 'is missing', 'an instant: the model has no clock')
    return now
  }

  const registerOn = (id: string, given: Expectations, now: number) => {
    const row = subjects.get(id)
    if (row !== undefined) return { created: false, ...change(row, given, now) }
    subjects.set(id, created(id, given, now, defaults))
    return { created: true, changed: false, rearmed: false }
  }

  return {
    async register(id: string, given: Expectations & Call = {}) {
      const { created, rearmed } = registerOn(id, given, at(given))
      return { ok: true, created, rearmed } as const
    },

    async registerMany(many: readonly ({ readonly id: string } & Expectations)[], call: Call = {}) {
      const now = at(call)
      const made = many.map(({ id, ...given }) => ({ id, ...registerOn(id, given, now) }))
      const ids = (which: 'created' | 'changed') => made.filter((each) => each[which]).map(({ id }) => id)
      return { ok: true, created: ids('created'), changed: ids('changed') } as const
    },

    async beat(id: string, given: BeatOptions = {}) {
      const now = at(given)
      if (!subjects.has(id) && given.register !== undefined) registerOn(id, given.register, now)
      const row = subjects.get(id)
      return row === undefined ? missing : beatOn(fleet, row, given, now, rules)
    },

    async beatMany(beats: readonly Beat[], call: Call = {}) {
      const now = at(call)
      const known = oneForEach(beats).flatMap((given) => {
        const row = subjects.get(given.id)
        return row === undefined ? [] : [{ subject: given.id, ...beatOn(fleet, row, given, now, rules) }]
      })
      return {
        ok: true,
        counted: known.map(({ subject }) => subject),
        closed: known.flatMap(({ subject, closed }) => (closed === null ? [] : [{ subject, ...closed }])),
        missing: [...new Set(beats.map(({ id }) => id))].filter((id) => !subjects.has(id)),
      } as const
    },

    async fail(id: string, { reason, ...call }: Call & { readonly reason?: string } = {}) {
      const now = at(call)
      const row = subjects.get(id)
      if (row === undefined) return missing
      row.beats += 1
      if (row.state !== 'down') row.lastSeen = Math.max(row.lastSeen ?? now, now)
      if (row.state !== 'up' && row.state !== 'new') return { ok: true, opened: null } as const
      const given = { startedAt: now, now, cause: 'failed', reason: reason ?? null } as const
      return { ok: true, opened: open(fleet, row, given, rules).outage.id } as const
    },

    async pause(id: string, call: Call = {}) {
      const now = at(call)
      const row = subjects.get(id)
      if (row === undefined) return missing
      const is = row.state !== 'paused'
      const outage = openOf(fleet, id)
      if (outage !== undefined) close(fleet, row, outage, { endedAt: now, endReason: 'paused' }, rules)
      become(row, 'paused', now)
      row.deadline = null
      return { ok: true, changed: is, closed: outage?.id ?? null } as const
    },

    async resume(id: string, call: Call = {}) {
      const now = at(call)
      const row = subjects.get(id)
      if (row === undefined) return missing
      if (row.state !== 'paused') return { ok: true, changed: false, closed: null } as const
      fleet.blind.push({ subject: id, from: row.stateSince, to: now })
      become(row, row.lastSeen === null ? 'new' : 'up', now)
      row.armedAt = now
      row.deadline = deadlineOf(row, null)
      return { ok: true, changed: true, closed: null } as const
    },

    async remove(id: string, call: Call = {}) {
      const now = at(call)
      const row = subjects.get(id)
      if (row === undefined) return missing
      const outage = openOf(fleet, id)
      if (outage !== undefined) close(fleet, row, outage, { endedAt: now, endReason: 'removed' }, rules)
      takeBackAll(fleet, id)
      subjects.delete(id)
      return { ok: true, changed: true, closed: outage?.id ?? null } as const
    },

    async check(call: Call & { readonly run?: string } = {}) {
      runs += 1
      return { ok: true, ...check(fleet, call.run ?? `run ${runs}`, at(call), rules) } as const
    },

    async status(query: StatusOptions = {}) {
      return statusPage(fleet, query, at(query))
    },

    async downtimes(query: DowntimesOptions = {}) {
      return downtimePage(fleet, query)
    },

    async uptime(id: string, span: UptimeOptions) {
      const row = subjects.get(id)
      return row === undefined ? null : uptimeOf(fleet, row, span, at(span))
    },

    /** The alerts as the outbox holds them. */
    alerts: (): readonly AlertRow[] => fleet.alerts,

    /** All that wait are sent. */
    async deliver(_now?: number) {
      for (const alert of fleet.alerts) if (alert.state === 'pending') alert.state = 'sent'
    },
  }
}

export type LivenessModel = ReturnType<typeof livenessModel>
