import type { Reading } from './classify.ts'

const LATEST_INSTANT = 8.64e15

/** A number that can be an instant or a length, else null. */
export const instant = (value: number | null | undefined): number | null =>
  typeof value === 'number' && Math.abs(value) <= LATEST_INSTANT ? value : null

/** One reading for each id, in the order of the ids; of several the newest, whatever their order. */
export function oneEach(snapshot: readonly Reading[] | null | undefined): readonly Reading[] {
  const newest = new Map<string, Reading>()
  for (const reading of snapshot ?? []) {
    if (typeof reading?.id !== 'string') continue
    const other = newest.get(reading.id)
    if (other === undefined || compare(other, reading) < 0) newest.set(reading.id, reading)
  }
  return [...newest.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** By its last beat, its count of beats, then by every field, so that no two different readings are equal. */
function compare(left: Reading, right: Reading): number {
  for (const rank of RANKS) {
    const [one, other] = [rank(left), rank(right)]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

const number = (value: number | null | undefined) => instant(value) ?? Number.NEGATIVE_INFINITY

const RANKS: readonly ((reading: Reading) => number | string)[] = [
  ({ lastSeen }) => number(lastSeen),
  ({ beats }) => number(beats),
  ({ armedAt }) => number(armedAt),
  ({ deadline }) => number(deadline),
  ({ downAfterMs }) => number(downAfterMs),
  ({ lateAfterMs }) => number(lateAfterMs),
  ({ downSince }) => number(downSince),
  ({ state }) => String(state),
]
