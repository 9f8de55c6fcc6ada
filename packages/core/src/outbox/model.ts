import { InvalidInputError } from '../errors.ts'
import { readKeys, readMessages } from './input/message.ts'
import { delayAfter, errorText, settings } from './input/settings.ts'
import { byAge, byId, type Entry, pick } from './model-lease.ts'
import type { Outbox } from './outbox.ts'
import type { AnswerOutcome, Lease, ListOptions, OutboxOptions, StoredMessage } from './types.ts'

/** The outbox without what only SQL has. */
export type OutboxModel = Omit<Outbox, 'statements' | 'install' | 'enqueueFrom'>

const DAY_MS = 86_400_000

/**
 * The module over a Map: what every statement means, in plain code. The tests compare the SQL with
 * it, call by call. It knows no `also`, and every call needs `now` (or the `clock` option).
 */
export function outboxModel(options: OutboxOptions = {}): OutboxModel {
  const given = settings(options)
  const rows = new Map<number, Entry>()
  const off = new Map<string, { disabledAt: number; reason: string | null }>()
  let lastId = 0

  const at = (call: { readonly now?: number } = {}): number => {
    const now = given.now(call.now)
    if (now === null) throw new InvalidInputError('now', 'is missing', 'an instant: the model has no clock')
    return now
  }
  const all = () => [...rows.values()]
  const keyed = (keys: readonly string[]) => {
    const wanted = new Set(readKeys('dedupKeys', keys))
    return all().filter((row) => wanted.has(row.dedupKey))
  }
  const names = (found: readonly Entry[]) => found.map(({ id, dedupKey }) => ({ id, dedupKey }))
  const change = (found: readonly Entry[], fields: Partial<Entry>) => {
    for (const row of found) Object.assign(row, fields)
    return { ok: true, changed: names(found) } as const
  }

  const answer = (
    { id, token }: Lease,
    makes: readonly string[],
    fields: (row: Entry) => Partial<Entry>,
  ): AnswerOutcome => {
    const row = rows.get(id)
    if (row?.token !== token) return { ok: false, reason: 'lost' }
    if (row.state === 'leased') Object.assign(row, { leaseUntil: null }, fields(row))
    else if (!makes.includes(row.state)) return { ok: false, reason: 'lost' }
    return row.state === 'pending'
      ? { ok: true, state: 'pending', notBefore: row.notBefore }
      : { ok: true, state: row.state === 'sent' ? 'sent' : 'dead' }
  }

  return {
    async enqueue(messages, call = {}) {
      const now = at(call)
      const read = readMessages(messages, given.payloadBytes)
      const enqueued = []
      for (const { notBefore, delay, ...message } of read) {
        if (all().some(({ dedupKey }) => dedupKey === message.dedupKey)) continue
        lastId += 1
        const due = notBefore ?? now + delay
        const fresh = { state: 'pending', token: 0, leaseUntil: null, attempts: 0, lastError: null } as const
        const times = { notBefore: due, giveUpAt: due + given.maxAgeMs, createdAt: now, finishedAt: null }
        rows.set(lastId, { id: lastId, ...message, ...fresh, ...times, run: call.run ?? null })
        enqueued.push({ id: lastId, dedupKey: message.dedupKey })
      }
      return { ok: true, enqueued, duplicates: read.length - enqueued.length }
    },

    async lease({ ttl, ...call }) {
      const now = at(call)
      const turn = Math.floor(given.random() * 2 ** 31)
      const picked = pick(all(), off, { ...call, now, turn })
      const spent = (row: Entry) =>
        row.state === 'leased' && (row.attempts >= given.attempts || row.giveUpAt <= now)
      const dead = picked.filter(spent).sort(byId)
      const messages = picked.filter((row) => !spent(row)).sort(byAge)
      for (const row of dead) {
        const lastError = row.lastError ?? 'the last attempt was never answered'
        Object.assign(row, { state: 'dead', leaseUntil: null, finishedAt: now, lastError })
      }
      for (const row of messages) {
        Object.assign(row, { state: 'leased', leaseUntil: now + Number(ttl), attempts: row.attempts + 1 })
      }
      for (const row of picked) row.token += 1
      return { ok: true, messages: messages.map((row) => ({ ...row })), dead: names(dead) }
    },

    async sent(lease, call) {
      return answer(lease, ['sent'], () => ({ state: 'sent', finishedAt: at(call) }))
    },

    async retry(lease, call) {
      const delay = delayAfter(given, lease.attempts, call.retryAfterMs)
      return answer(lease, ['pending', 'dead'], (row) => {
        const now = at(call)
        const last = row.attempts >= given.attempts || row.giveUpAt <= now
        const after = last ? { state: 'dead', finishedAt: now } : { state: 'pending', notBefore: now + delay }
        return { ...(after as Partial<Entry>), lastError: errorText(call.error) }
      })
    },

    async dead(lease, call) {
      const lastError = errorText(call.error)
      return answer(lease, ['dead'], () => ({ state: 'dead', finishedAt: at(call), lastError }))
    },

    async cancel(chosen, call) {
      const found =
        'dedupKeys' in chosen
          ? keyed(chosen.dedupKeys)
          : all().filter(
              (row) => row.destination === chosen.destination && row.orderingKey === chosen.orderingKey,
            )
      const untouched = found.filter((row) => row.state === 'pending' && row.token === 0)
      return change(untouched, { state: 'cancelled', finishedAt: at(call) })
    },

    async redrive(chosen, call) {
      const now = at(call)
      const found =
        'dedupKeys' in chosen
          ? keyed(chosen.dedupKeys).filter((row) => row.state === 'dead')
          : all()
              .filter((row) => row.destination === chosen.destination && row.state === 'dead')
              .slice(0, chosen.limit ?? 100)
      const times = { notBefore: now, giveUpAt: now + given.maxAgeMs, finishedAt: null }
      return change(found, { state: 'pending', attempts: 0, ...times })
    },

    async list({ before = Number.POSITIVE_INFINITY, limit = 100, ...filters }: ListOptions = {}) {
      const wanted = Object.entries(filters) as [keyof StoredMessage, unknown][]
      const found = all()
        .filter((row) => row.id < before && wanted.every(([field, value]) => row[field] === value))
        .sort((left, right) => right.id - left.id)
      const messages = found.slice(0, limit).map((row) => ({ ...row }))
      return { messages, next: found.length > limit ? (messages.at(-1)?.id ?? null) : null }
    },

    async sweep({ retention = 30 * DAY_MS, step = 500, steps = 20, ...call } = {}) {
      const now = at(call)
      const old = all().filter((row) => row.finishedAt !== null && row.finishedAt < now - Number(retention))
      const removed = old.slice(0, step * steps)
      for (const { id } of removed) rows.delete(id)
      return { ok: true, removed: removed.length, more: removed.length === step * steps }
    },

    async disable(destination, call = {}) {
      const changed = !off.has(destination)
      const disabledAt = at(call)
      if (changed) off.set(destination, { disabledAt, reason: call.reason ?? null })
      return { ok: true, changed }
    },

    async enable(destination) {
      return { ok: true, changed: off.delete(destination) }
    },

    async disabled() {
      return [...off].map(([destination, state]) => ({ destination, ...state })).sort(byDestination)
    },
  }
}

const byDestination = (left: { destination: string }, right: { destination: string }) =>
  left.destination < right.destination ? -1 : 1
