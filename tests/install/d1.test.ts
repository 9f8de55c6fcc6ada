import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testWorker } from '../engines/workerd.ts'

test("D1's exec takes the .sql files, and the installer finds nothing left to do", async () => {
  const worker = await testWorker(fileURLToPath(new URL('d1.worker.ts', import.meta.url)))
  const text = await (await worker.fetch('/')).text()
  assert.equal(text, '[]')
  await worker.dispose()
})
