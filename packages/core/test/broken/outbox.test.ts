import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver, Statement } from '../../src/port/driver.ts'
import { collect, conformance, type Engine, memory } from '../../src/testing/index.ts'
import { outboxSuite } from '../../src/testing/suites/outbox.ts'
import { twins } from './outbox.ts'

/** The classic wrong versions of the outbox. The suite must reject each. */
for (const { name, statement, change, tables = [] } of twins) {
  test(`the suite rejects: ${name}`, async (context) => {
    let changed = 0
    const twin = (given: Statement): Statement => {
      if (given.name !== statement) return given
      changed += 1
      return change(given)
    }
    const engine = memory()
    const broken: Engine = {
      ...engine,
      async open() {
        const opened = await engine.open()
        return { ...opened, driver: wrapped(opened.driver, twin, tables) }
      },
    }
    const { test: add, cases } = collect()
    conformance(broken, { test: add, suites: [outboxSuite] })
    const results = []
    for (const each of cases) results.push(await each.run())
    const failed = results.filter(({ outcome }) => outcome === 'failed')
    assert.ok(changed > 0, 'the twin was never run')
    assert.ok(failed.length > 0, 'every case passed')
    assert.ok(
      failed.some(({ reason }) => reason?.includes('AssertionError')),
      `it must be wrong, not fail: ${failed[0]?.reason}`,
    )
    context.diagnostic(`${failed.length} cases fail, the first: ${failed[0]?.name}`)
  })
}

/** Runs the twin's statements; what its tables lack is taken away as soon as they stand. */
function wrapped(driver: Driver, twin: (given: Statement) => Statement, lacks: readonly string[]): Driver {
  return {
    ...driver,
    execute: (statement) => driver.execute(twin(statement)),
    async batch(statements) {
      const results = await driver.batch(statements.map(twin))
      if (statements[0]?.name.startsWith('install.')) {
        for (const text of lacks) await driver.execute({ name: 'twin', text, values: [] })
      }
      return results
    },
  }
}
