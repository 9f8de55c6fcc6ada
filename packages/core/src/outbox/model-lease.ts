import type { StoredMessage } from './types.ts'

/** A row of the model. */
export type Entry = { -readonly [Field in keyof StoredMessage]: StoredMessage[Field] }

export const byId = (left: Entry, right: Entry) => left.id - right.id
export const byAge = (left: Entry, right: Entry) => left.notBefore - right.notBefore || byId(left, right)

/**
 * The rows that a lease takes. Each destination's due rows stand in a queue; a row's rank is how many
 * of its destination would be out with it. Low ranks first; between equal ones the destinations' ring,
 * turned by a drawn number.
 */
export function pick(
  rows: readonly Entry[],
  off: ReadonlyMap<string, unknown>,
  call: { now: number; limit: number; turn: number; perDestination?: number },
): Entry[] {
  const { now, limit, turn, perDestination = Number.POSITIVE_INFINITY } = call
  const open = rows.filter((row) => row.finishedAt === null)
  const ring = [...new Set(open.map(({ destination }) => destination))].sort()
  return ring
    .flatMap((destination, place) => {
      const own = open.filter((row) => row.destination === destination)
      const out = own.filter(({ leaseUntil }) => leaseUntil !== null && leaseUntil >= now).length
      const queue = off.has(destination) ? [] : own.filter((row) => leasable(row, own, now)).sort(byAge)
      const seat = (place + turn) % ring.length
      return queue.slice(0, limit).map((row, index) => ({ row, seat, rank: out + index + 1 }))
    })
    .filter(({ rank }) => rank <= perDestination)
    .sort((left, right) => left.rank - right.rank || left.seat - right.seat)
    .slice(0, limit)
    .map(({ row }) => row)
}

/** Due, nobody's, and the first unfinished one of its ordering key. */
function leasable(row: Entry, own: readonly Entry[], now: number): boolean {
  const { state, leaseUntil, orderingKey } = row
  const nobodys = state === 'pending' || (leaseUntil !== null && leaseUntil < now)
  const waits = orderingKey !== null && own.some((e) => e.orderingKey === orderingKey && e.id < row.id)
  return row.notBefore <= now && nobodys && !waits
}
