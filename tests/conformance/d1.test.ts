import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { CaseResult } from '@rowlock/core/testing'
import { testWorker } from '../engines/workerd.ts'

const worker = await testWorker(fileURLToPath(new URL('d1.worker.ts', import.meta.url)))
after(() => worker.dispose())

const names = await ask<string[]>('/cases')

test('the Worker has cases', () => assert.ok(names.length > 10, `${names.length} cases`))

for (const [index, name] of names.entries()) {
  test(name, async (context) => {
    const { outcome, reason } = await ask<CaseResult>(`/cases/${index}`)
    if (outcome === 'skipped') context.skip(reason)
    else assert.equal(outcome, 'passed', reason)
  })
}

async function ask<Answer>(path: string): Promise<Answer> {
  const response = await worker.fetch(path)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return JSON.parse(text) as Answer
}
