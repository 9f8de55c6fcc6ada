import { InvalidInputError, NotFoundError } from '@rowlock/core'
import { describe, wholeNumber } from '@rowlock/core/module'
import type { Outbox } from '@rowlock/core/outbox'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { Ground } from '../ground.ts'
import { countByState, deliveries, deliveryById, oldestDueAt } from './queries.ts'

export const deliveryStates = ['pending', 'leased', 'sent', 'cancelled', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One notice on its way to one destination. Instants are ms since 1970. */
export interface Delivery {
  readonly id: number
  readonly topic: string
  readonly project: number
  readonly destination: string
  readonly url: string
  /** Stays the same over all attempts; receivers leave out what they have had. */
  readonly dedupKey: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly lastError: string | null
  /** Where it is pending: when the next attempt is due. */
  readonly dueAt: number
  readonly createdAt: number
  readonly finishedAt: number | null
  readonly payload: unknown
}

export interface DeliveryQuery {
  readonly project?: number | null
  readonly state?: string | undefined
  readonly destination?: string | undefined
  readonly cursor?: string | undefined
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined
}

export interface Deliveries {
  /** Newest first. */
  list(query?: DeliveryQuery): Promise<{ deliveries: Delivery[]; next: string | null }>
  find(id: number): Promise<Delivery | undefined>
  /** A dead delivery starts anew. @throws NotFoundError, or InvalidInputError when it is not dead. */
  redrive(id: number): Promise<Delivery>
  /** When the delivery that has been due longest became due; undefined when none is. */
  oldestDueAt(): Promise<number | undefined>
  counts(): Promise<Readonly<Record<string, number>>>
}

export function createDeliveries({ reader, clock }: Ground, outbox: Outbox): Deliveries {
  const find = async (id: number) => {
    const row = await deliveryById(reader, id)
    return row && delivery(row)
  }
  const found = async (id: number) => {
    const known = await find(id)
    if (known === undefined) throw new NotFoundError(`delivery ${id}`)
    return known
  }
  return {
    find,
    async list(query = {}) {
      const { project = null, state, destination, cursor } = query
      if (state !== undefined && !(deliveryStates as readonly string[]).includes(state)) {
        throw new InvalidInputError('state', `is ${describe(state)}`, deliveryStates.join(', '))
      }
      const limit = wholeNumber('limit', query.limit ?? 50, 1, 200)
      const before = cursor === undefined ? undefined : (decodeCursor(cursor, ['number'])[0] as number)
      const rows = await deliveries(reader, { project, state, destination, before }, limit + 1)
      const page = rows.slice(0, limit).map(delivery)
      const last = page.at(-1)
      return { deliveries: page, next: rows.length > limit && last ? encodeCursor([last.id]) : null }
    },
    async redrive(id) {
      const { dedupKey, state } = await found(id)
      const outcome = await outbox.redrive({ dedupKeys: [dedupKey] })
      if (!outcome.ok) throw outcome.cause
      if (outcome.changed.length > 0) return await found(id)
      throw new InvalidInputError('delivery', `is ${state}`, 'a dead one')
    },
    oldestDueAt: () => oldestDueAt(reader, clock()),
    async counts() {
      return Object.fromEntries(
        (await countByState(reader)).map(({ state, count }) => [state, Number(count)]),
      )
    },
  }
}

type Row = NonNullable<Awaited<ReturnType<typeof deliveryById>>>

function delivery(row: Row): Delivery {
  return {
    id: row.id,
    topic: row.topic,
    project: row.project,
    destination: row.destination,
    url: row.url,
    dedupKey: row.dedup_key,
    state: row.state as DeliveryState,
    attempts: row.attempts,
    lastError: row.last_error,
    dueAt: row.not_before,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    payload: JSON.parse(row.payload),
  }
}
