import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type ExploreReport, explore } from '@rowlock/core/testing'
import { testWorker } from '../engines/workerd.ts'
import { scenarios } from './scenarios.ts'

const SAMPLE = 60

const worker = await testWorker(fileURLToPath(new URL('d1.worker.ts', import.meta.url)))
after(() => worker.dispose())

for (const [name, scenario] of Object.entries(scenarios)) {
  test(`${name}: every order and every crash in memory`, async () => {
    const { schedules, crashes } = await explore(scenario)
    console.log(`# explore, ${name}: ${schedules} orders, ${crashes} with a crash`)
    assert.ok(crashes > 10)
  })

  test(`${name}: a sample of the orders inside workerd`, async () => {
    const response = await worker.fetch(`/${name}?sample=${SAMPLE}`)
    const text = await response.text()
    assert.equal(response.status, 200, text)
    const { schedules, violations, observed } = JSON.parse(text) as ExploreReport
    console.log(`# explore, ${name} on D1: ${schedules} orders, ${JSON.stringify(observed)}`)
    assert.deepEqual({ schedules, violations }, { schedules: SAMPLE, violations: 0 })
  })
}
