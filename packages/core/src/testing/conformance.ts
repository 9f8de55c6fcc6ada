import { installSchemas } from '../install/installer.ts'
import { fail } from './assert.ts'
import type { Engine, OpenEngine } from './engine.ts'
import type { Check } from './mutate/index.ts'
import type { Case, CaseContext, Suite } from './suite.ts'
import { suites as allSuites } from './suites/index.ts'

/** How a test runner is called. `node:test` has this shape; others take a line of glue. */
export type TestFunction = (name: string, options: { skip?: string }, run: () => Promise<void>) => unknown

export interface ConformanceOptions {
  /** Registers one test: `test` of node:test, or the one of `collect()`. */
  readonly test: TestFunction
  /** Which suites to run; all of them by default. */
  readonly suites?: readonly Suite[]
}

/**
 * Registers every case of every suite as a test of this engine, each on a fresh database. An engine
 * that passes is supported; there is no other meaning of the word.
 */
export function conformance(engine: Engine, { test, suites = allSuites }: ConformanceOptions): void {
  for (const suite of suites) {
    for (const one of suite.cases) {
      const skip = reasonToSkip(engine, one)
      const name = `${engine.name}: ${suite.name}: ${one.name}`
      test(name, skip === undefined ? {} : { skip }, () => runCase(engine, suite, one))
    }
  }
}

function reasonToSkip({ lacks = {} }: Engine, { needs = [] }: Case): string | undefined {
  const missing = needs.find((need) => lacks[need] !== undefined)
  return missing && `${missing}: ${lacks[missing]}`
}

async function runCase(engine: Engine, suite: Suite, one: Case): Promise<void> {
  const opened = await engine.open()
  try {
    if (suite.schemas !== undefined) await installSchemas(opened.driver, suite.schemas)
    await one.run(contextOf(engine, opened))
  } finally {
    await opened.dispose()
  }
}

function contextOf(engine: Engine, opened: OpenEngine): CaseContext {
  return {
    driver: opened.driver,
    peer: () => opened.peer?.() ?? fail(`${engine.name} has no peer, and does not say why in \`lacks\``),
    crash: () => opened.crash?.() ?? fail(`${engine.name} cannot crash, and does not say why in \`lacks\``),
  }
}

/** The cases of suites that an engine can show, as checks that `killAll` sends mutants against. */
export function checksOf(engine: Engine, suites: readonly Suite[]): Check[] {
  return suites.flatMap((suite) =>
    suite.cases
      .filter((one) => reasonToSkip(engine, one) === undefined)
      .map((one) => ({
        name: `${suite.name}: ${one.name}`,
        run: (opened: Engine) => runCase(opened, suite, one),
      })),
  )
}

/** How one case ended, as plain data: results travel out of a Worker as JSON. */
export interface CaseResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** Why it was skipped, or the error with its stack. */
  readonly reason?: string
}

/** A case that waits to be run. */
export interface CollectedCase {
  readonly name: string
  run(): Promise<CaseResult>
}

/** A test function for where there is no test runner: it collects the cases, to be run one by one. */
export function collect(): { readonly test: TestFunction; readonly cases: readonly CollectedCase[] } {
  const cases: CollectedCase[] = []
  return {
    cases,
    test: (name, { skip }, run) => void cases.push({ name, run: () => outcomeOf(name, skip, run) }),
  }
}

async function outcomeOf(
  name: string,
  skip: string | undefined,
  run: () => Promise<void>,
): Promise<CaseResult> {
  if (skip !== undefined) return { name, outcome: 'skipped', reason: skip }
  try {
    await run()
    return { name, outcome: 'passed' }
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { name, outcome: 'failed', reason }
  }
}
