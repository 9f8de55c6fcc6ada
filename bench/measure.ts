import { performance } from 'node:perf_hooks'

/** One way of doing the work: `count` operations, however the way arranges them. */
export interface Way {
  readonly name: string
  /** Makes ready for a round; not timed. */
  prepare?(count: number): Promise<void> | void
  /** May do another number of operations than asked, and then says how many. */
  run(count: number): Promise<number | void> | number | void
}

/** What a way did per second, over all rounds. */
export interface Figure {
  readonly name: string
  readonly perSecond: { readonly lowest: number; readonly median: number; readonly highest: number }
}

/**
 * Runs the ways in turn, A B A B …, so that a machine whose speed drifts is unfair to none, after
 * one round that is not counted. Every round does the same number of operations.
 */
export async function compare(
  ways: readonly Way[],
  options: { count: number; rounds: number },
): Promise<Figure[]> {
  const speeds = new Map<string, number[]>(ways.map((way) => [way.name, []]))
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : [...ways].reverse()) {
      await way.prepare?.(options.count)
      const start = performance.now()
      const done = (await way.run(options.count)) ?? options.count
      const seconds = (performance.now() - start) / 1000
      if (round > 0) speeds.get(way.name)?.push(done / seconds)
    }
  }
  return ways.map((way) => ({ name: way.name, perSecond: spread(speeds.get(way.name) ?? []) }))
}

/** How many times longer the first way takes than the second, by the medians. */
export function costRatio(figures: readonly Figure[], way: string, against: string): number {
  const speed = (name: string) => {
    const figure = figures.find((one) => one.name === name)
    if (figure === undefined) throw new Error(`no figure is named ${name}`)
    return figure.perSecond.median
  }
  return speed(against) / speed(way)
}

export function spread(values: readonly number[]): { lowest: number; median: number; highest: number } {
  const sorted = [...values].sort((left, right) => left - right)
  const [lowest, highest] = [sorted[0], sorted.at(-1)]
  if (lowest === undefined || highest === undefined) throw new Error('nothing was measured')
  return { lowest, median: percentile(sorted, 0.5), highest }
}

/** The value below which the given share of the sorted values lies. */
export function percentile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error('nothing was measured')
  return value
}

/** Calls `work(n)` for n from 0 to count - 1, `callers` at a time. */
export async function callers(
  count: number,
  atOnce: number,
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < count) {
      const n = next
      next += 1
      await work(n)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, one))
}
