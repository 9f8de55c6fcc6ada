import type { Statement } from '../../port/driver.ts'
import type { Engine } from '../engine.ts'
import { type Mutant, mutants } from './mutants.ts'
import { type Recording, recorded } from './record.ts'
import { changed, onEngine } from './through.ts'

/** Something that fails when the code under test is wrong: a case of a suite, an exploration. */
export interface Check {
  readonly name: string
  /** Runs on databases that it opens from this engine, and from no other. */
  run(engine: Engine): Promise<void>
}

export interface KillOptions {
  readonly engine: Engine
  readonly checks: readonly Check[]
  /** Which statements to make mistakes in; all that the checks send by default. */
  readonly only?: (statement: Statement) => boolean
  /** Mutants that may survive, by id, each with the reason why it changes nothing that matters. */
  readonly survivors?: Readonly<Record<string, string>>
}

export interface KillReport {
  readonly mutants: number
  readonly killed: number
  /** Of the killed: those whose SQL the database never took. They prove little. */
  readonly refused: number
  readonly survivors: readonly Mutant[]
  /** How many each check killed, being the first to do so. */
  readonly killedBy: Readonly<Record<string, number>>
}

/** Thrown by `killAll`: mutants that nothing killed and nobody explained, or explanations that nothing needs. */
export class MutationError extends Error {
  override readonly name = 'MutationError'
}

/**
 * Makes every mistake, one at a time, in the statements that these checks send, and runs the checks
 * until one fails.
 * @throws MutationError when a mutant survives that `survivors` does not explain, when an explained one
 * was killed or does not exist, and when a check fails without any mutant.
 */
export async function killAll(options: KillOptions): Promise<KillReport> {
  const { engine, checks, survivors = {} } = options
  const sent = new Map<Check, Recording>()
  for (const check of checks) sent.set(check, await record(engine, check))
  const everything = {
    statements: [...sent.values()].flatMap(({ statements }) => statements),
    batches: [...sent.values()].flatMap(({ batches }) => batches),
  }
  const dialect = await dialectOf(engine)
  const all = mutants(everything, { dialect, ...(options.only && { only: options.only }) })
  const survived: Mutant[] = []
  const killedBy: Record<string, number> = {}
  let refused = 0
  for (const mutant of all) {
    const able = checks.filter((check) =>
      sent.get(check)!.statements.some(({ name }) => name === mutant.statement),
    )
    const { killer, ran } = await attack(engine, mutant, able)
    if (killer === undefined) survived.push(mutant)
    else killedBy[killer] = (killedBy[killer] ?? 0) + 1
    if (killer !== undefined && !ran) refused++
  }
  compare(all, survived, survivors)
  return { mutants: all.length, killed: all.length - survived.length, refused, survivors: survived, killedBy }
}

async function record(engine: Engine, check: Check): Promise<Recording> {
  const { engine: recording, taken } = recorded(engine)
  try {
    await check.run(recording)
  } catch (cause) {
    throw new MutationError(`"${check.name}" fails without any mutant`, { cause })
  }
  return taken()
}

async function dialectOf(engine: Engine) {
  const { driver, dispose } = await engine.open()
  await dispose()
  return driver.dialect
}

/** Statements that one check may send, and how long it may take, before it is taken to go on for ever. */
const ENDLESS_STATEMENTS = 1_000_000
const ENDLESS_MS = 60_000

async function attack(engine: Engine, mutant: Mutant, checks: readonly Check[]) {
  let ran = false
  for (const { name, run } of checks) {
    let left = ENDLESS_STATEMENTS
    const counted = (statement: Statement) => {
      if (left-- <= 0) throw new Error(`the check goes on for ever, or after it was given up`)
      return statement
    }
    const mutated = onEngine(engine, (driver) => {
      const wrong = mutant.apply(driver, () => {
        ran = true
      })
      return changed(wrong, { statement: counted })
    })
    try {
      await withinTime(run(mutated))
    } catch {
      left = 0
      return { killer: name, ran }
    }
  }
  return { killer: undefined, ran }
}

async function withinTime(work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ENDLESS_MS} ms`)), ENDLESS_MS)
  })
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function compare(
  all: readonly Mutant[],
  survived: readonly Mutant[],
  explained: Readonly<Record<string, string>>,
) {
  const unexplained = survived.filter(({ id }) => !Object.hasOwn(explained, id))
  const ids = new Set(survived.map(({ id }) => id))
  const unused = Object.keys(explained).filter((id) => !ids.has(id))
  if (unexplained.length === 0 && unused.length === 0) return
  const lines = [
    ...unexplained.map(({ id, place }) => `survived: ${id}\n    in: ${place}`),
    ...unused.map(
      (id) => `explained, but ${all.some((mutant) => mutant.id === id) ? 'killed' : 'not there'}: ${id}`,
    ),
  ]
  throw new MutationError(`of ${all.length} mutants:\n${lines.join('\n')}`)
}

/**
 * Reads a list of survivors as people keep it: lines that begin with "- `id`", and behind a colon the
 * reason, which may go on in indented lines.
 */
export function survivorsIn(markdown: string): Record<string, string> {
  const found = markdown.matchAll(/^[-*] `(?<id>[^`]+)`:?\s*(?<reason>.*(?:\n[ \t]+.*)*)/gm)
  return Object.fromEntries(
    [...found].map(({ groups }) => [groups!.id!, groups!.reason!.replace(/\s+/g, ' ').trim()]),
  )
}
