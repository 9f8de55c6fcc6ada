import { InvalidInputError } from '@rowlock/core'
import type { Watch } from '../watch.ts'
import type { DeviceFields } from './fields.ts'

/** So many devices may stand behind one another. */
const MOST_LEVELS = 20
const STEP = 500

/**
 * Devices that would stand behind themselves, or too far behind others: while a parent is down nobody is told of those
 * behind it, so of a circle nobody would ever be told. By id, with what is wrong.
 */
export async function findCircles(
  watch: Watch,
  project: number,
  fields: readonly DeviceFields[],
): Promise<ReadonlyMap<string, string>> {
  const parents = new Map<string, string | null>()
  for (const { id, parent } of fields) if (parent !== undefined) parents.set(id, parent)
  const starts = [...parents.keys()].filter((id) => parents.get(id) !== null)
  let wanted = missing(parents, starts)
  for (let level = 0; wanted.length > 0 && level < MOST_LEVELS; level++) {
    for (let from = 0; from < wanted.length; from += STEP) {
      const ids = wanted.slice(from, from + STEP)
      const { subjects } = await watch.of(project).status({ ids, limit: STEP })
      for (const { id, parent } of subjects) parents.set(id, parent)
      for (const id of ids) if (!parents.has(id)) parents.set(id, null)
    }
    wanted = missing(parents, wanted)
  }
  const found = starts.map((id) => [id, chainFrom(parents, id)] as const)
  return new Map(
    found
      .filter(([, chain]) => chain.length > MOST_LEVELS + 1 || chain.at(-1) === chain[0])
      .map(([id, chain]) => [id, `leads to ${chain.slice(1, 6).join(', ')}${chain.length > 6 ? ', …' : ''}`]),
  )
}

/** Parents of these whose own parents are not known yet. */
function missing(parents: ReadonlyMap<string, string | null>, ids: readonly string[]): string[] {
  const next = ids.map((id) => parents.get(id)).filter((id) => typeof id === 'string' && !parents.has(id))
  return [...new Set(next as string[])]
}

/** A device and those before it, as far as back to itself. */
function chainFrom(parents: ReadonlyMap<string, string | null>, start: string): readonly string[] {
  const chain = [start]
  for (let id = parents.get(start); typeof id === 'string'; id = parents.get(id)) {
    chain.push(id)
    if (id === start || chain.length > MOST_LEVELS + 1) break
  }
  return chain
}

/** @throws InvalidInputError for the first of them. */
export function refuseCircles(circles: ReadonlyMap<string, string>): void {
  for (const [id, problem] of circles) throw circleError(id, problem)
}

export function circleError(id: string, problem: string): InvalidInputError {
  return new InvalidInputError('parent', `of ${id} ${problem}`, PARENTS)
}

const PARENTS = `a device that does not stand behind it, at most ${MOST_LEVELS} one behind another`
