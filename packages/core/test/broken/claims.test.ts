import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect, conformance, memory } from '../../src/testing/index.ts'
import { claimsSuite } from '../../src/testing/suites/claims.ts'
import { twins } from './claims.ts'

test('the suite passes on what is not broken', async () => {
  assert.deepEqual(await failures((driver) => driver), [])
})

for (const { name, caughtBy, wrap } of twins) {
  test(`the suite rejects: ${name}`, async (context) => {
    const failed = await failures(wrap)
    assert.ok(failed.includes(caughtBy), `expected "${caughtBy}" to fail; failed: ${failed.join('; ')}`)
    context.diagnostic(`${failed.length} cases fail`)
  })
}

/** The names of the cases that fail on a changed driver. */
async function failures(wrap: (typeof twins)[number]['wrap']): Promise<string[]> {
  const plain = memory()
  const engine = {
    ...plain,
    async open() {
      const opened = await plain.open()
      return { ...opened, driver: wrap(opened.driver) }
    },
  }
  const { test: add, cases } = collect()
  conformance(engine, { test: add, suites: [claimsSuite] })
  const failed: string[] = []
  for (const one of cases) {
    const { name, outcome } = await one.run()
    if (outcome === 'failed') failed.push(name.split(': claims: ')[1]!)
  }
  return failed
}
