import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GuardError } from '../../src/errors.ts'
import { checkBatch, checkRows } from '../../src/port/check.ts'
import type { Answer, Driver, Grouping, Row, Statement } from '../../src/port/driver.ts'
import { collect, conformance, type Engine, memory, sequential } from '../../src/testing/index.ts'
import { driverSuite } from '../../src/testing/suites/driver.ts'

const plain = ({ expect: _, ...statement }: Statement): Statement => statement
const asText = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? `${value}` : value]),
  )

/** The classic wrong drivers. The suite must reject each. */
const twins: Readonly<Record<string, (driver: Driver) => Driver>> = {
  'counts nothing': (driver) => ({
    ...driver,
    batch: (statements) => driver.batch(statements.map(plain)),
  }),

  'counts after the commit': (driver) => ({
    ...driver,
    async batch(statements) {
      checkBatch(driver.dialect, statements)
      const results = await driver.batch(statements.map(plain))
      for (const [index, statement] of statements.entries())
        checkRows(statement, index, results[index]!.length)
      return results
    },
  }),

  'calls a list run one by one a transaction': (driver) => ({ ...sequential(driver), atomicBatch: true }),

  'takes more than was expected for enough': (driver) => ({
    ...driver,
    batch: (statements) =>
      driver.batch(
        statements.map((statement) =>
          typeof statement.expect === 'number' && statement.expect > 0
            ? { ...statement, expect: 'some' }
            : statement,
        ),
      ),
  }),

  "takes no row for 'some'": (driver) => ({
    ...driver,
    batch: (statements) =>
      driver.batch(
        statements.map((statement) => (statement.expect === 'some' ? plain(statement) : statement)),
      ),
  }),

  'proves writes and not checks': (driver) => ({
    ...driver,
    batch: (statements) =>
      driver.batch(
        statements.map((statement) => (statement.text.startsWith('select') ? plain(statement) : statement)),
      ),
  }),

  'names the wrong statement': (driver) => ({
    ...driver,
    batch: (statements) =>
      driver.batch(statements).catch((error) => {
        if (!(error instanceof GuardError)) throw error
        const { expected, actual } = error
        throw new GuardError({ statement: statements[0]!.name, index: 0, expected, actual })
      }),
  }),

  'lets expect pass where nothing can be counted': (driver) => ({
    ...driver,
    batch: (statements) =>
      driver.batch(
        statements.map((statement) =>
          statement.text.startsWith('update') && !statement.text.includes('returning')
            ? plain(statement)
            : statement,
        ),
      ),
  }),

  'drops expect from a single statement': (driver) => ({
    ...driver,
    execute: (statement) => driver.execute(plain(statement)),
  }),

  'hands out numbers as text': (driver) => ({
    ...driver,
    execute: async (statement) => (await driver.execute(statement)).map(asText),
  }),

  "throws the engine's own errors": (driver) => ({
    ...driver,
    execute: (statement) =>
      driver.execute(statement).catch((error) => {
        throw error.cause ?? error
      }),
  }),

  'gives the rows of a batch in one list': (driver) => ({
    ...driver,
    batch: async (statements) => [(await driver.batch(statements)).flat()],
  }),

  'lets one call of a group fail them all': (driver) => ({
    ...driver,
    grouping: regrouped(driver, (answers) => {
      const failed = answers.find((answer) => answer.status === 'rejected')
      return failed === undefined ? answers : answers.map(() => failed)
    }),
  }),

  'mixes up the answers of a group': (driver) => ({
    ...driver,
    grouping: regrouped(driver, (answers) => answers.toReversed()),
  }),

  'reads the clock in seconds': (driver) => {
    const { pieces } = driver.dialect.clock
    return { ...driver, dialect: { ...driver.dialect, clock: { pieces: ['(', ...pieces, ' / 1000)'] } } }
  },
}

function regrouped(driver: Driver, change: (answers: Answer[]) => Answer[]): Grouping {
  const grouping = driver.grouping!
  return { ready: () => grouping.ready(), run: async (calls) => change(await grouping.run(calls)) }
}

for (const [name, twin] of Object.entries(twins)) {
  test(`the suite rejects a driver that ${name}`, async (context) => {
    const engine = memory()
    const broken: Engine = {
      ...engine,
      async open() {
        const opened = await engine.open()
        return { ...opened, driver: twin(opened.driver) }
      },
    }
    const { test: add, cases } = collect()
    conformance(broken, { test: add, suites: [driverSuite] })
    const failed: string[] = []
    for (const each of cases) {
      if ((await each.run()).outcome === 'failed') failed.push(each.name)
    }
    assert.ok(failed.length > 0, 'every case passed')
    context.diagnostic(`${failed.length} cases fail, the first: ${failed[0]}`)
  })
}
