import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { testWorker } from '../engines/workerd.ts'

const worker = await testWorker(fileURLToPath(new URL('d1.worker.ts', import.meta.url)))
after(() => worker.dispose())
const look = async (path: string) => (await worker.fetch(path)).json()

test('everything Rowlock counts on holds inside workerd', async () => {
  assert.deepEqual(await look('/probe'), [])
})

test('rows that triggers write are not mistaken for those of the statement', async () => {
  assert.deepEqual(await look('/triggers'), { rows: [1, 1, 2], failed: { index: 1, actual: 0 }, kept: 2 })
})

test('bytes come back as bytes', async () => {
  assert.deepEqual(await look('/blobs'), [true, 1, 2])
})

for (const [builder, atomic] of [
  ['drizzle', true],
  ['kysely', false],
] as const) {
  test(`through ${builder} a window is won once, and an outage is opened once`, async () => {
    assert.deepEqual(await look(`/${builder}`), { atomic, won: [true, false], opened: 1, outages: 1 })
  })
}
