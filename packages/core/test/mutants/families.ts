import type { Dialect } from '../../src/port/dialect.ts'
import { type Check, type Engine, type Mutant, mutants, recorded } from '../../src/testing/index.ts'

/**
 * The same mistake in every text of a statement. A module writes a statement once, in code, and
 * renders it for each shape of table: a mistake in the code stands in all of them, and it is enough
 * that one test of one shape notices it.
 */
export interface Family {
  readonly id: string
  readonly statement: string
  readonly members: readonly Mutant[]
}

/**
 * Every mistake in the statements and batches that these checks send, by family. `plain` takes out of a
 * mistake's name what differs between the shapes of table.
 */
export async function familiesOf(
  engine: Engine,
  checks: readonly Check[],
  options: { readonly dialect: Dialect; only(statement: string): boolean; plain(id: string): string },
): Promise<Family[]> {
  const { dialect, only, plain } = options
  const { engine: recording, taken } = recorded(engine)
  for (const { run } of checks) await run(recording)
  const { statements, batches } = taken()
  // One text at a time: the same mistake in two places of one text is two mistakes.
  const parts = [
    ...new Map(statements.map((each) => [each.text, { statements: [each], batches: [] }])).values(),
    ...batches.map((each) => ({ statements: [], batches: [each] })),
  ]
  const made = parts.flatMap((part) => {
    const seen = new Map<string, number>()
    return mutants(part, { dialect }).map((mutant) => {
      const name = plain(mutant.id)
      const times = (seen.get(name) ?? 0) + 1
      seen.set(name, times)
      return { id: times === 1 ? name : `${name}, place ${times}`, mutant }
    })
  })
  const families = Map.groupBy(
    made.filter(({ mutant }) => only(mutant.statement)),
    ({ id }) => id,
  )
  return [...families].map(([id, members]) => ({
    id,
    statement: members[0]!.mutant.statement,
    members: members.map(({ mutant }) => mutant),
  }))
}

export interface Outcome {
  readonly family: Family
  /** The check that noticed it. */
  readonly killer?: string
}

/** Makes each mistake, and runs the checks until one fails. */
export async function attack(
  engine: Engine,
  families: readonly Family[],
  checks: readonly Check[],
): Promise<Outcome[]> {
  const sent = new Map<Check, ReadonlySet<string>>()
  for (const check of checks) {
    const { engine: recording, taken } = recorded(engine)
    await check.run(recording)
    sent.set(check, new Set(taken().statements.map(({ name }) => name)))
  }
  const outcomes: Outcome[] = []
  for (const family of families) {
    const able = checks.filter((check) => sent.get(check)!.has(family.statement))
    const killer = await killerOf(wrong(engine, family), able)
    outcomes.push(killer === undefined ? { family } : { family, killer })
  }
  return outcomes
}

async function killerOf(engine: Engine, checks: readonly Check[]): Promise<string | undefined> {
  for (const { name, run } of checks) {
    try {
      await run(engine)
    } catch {
      return name
    }
  }
  return undefined
}

function wrong(engine: Engine, { members }: Family): Engine {
  return {
    ...engine,
    async open() {
      const opened = await engine.open()
      const driver = members.reduce((inner, mutant) => mutant.apply(inner), opened.driver)
      return { ...opened, driver }
    },
  }
}
