import { fileURLToPath } from 'node:url'
import { testWorker } from '../tests/engines/workerd.ts'
import { compare, costRatio, type Way } from './measure.ts'
import { atMost, figureTable, type Section } from './report.ts'

/** Claims on D1 inside Cloudflare's own local runtime, against the raw statement in the same Worker. */
export async function section(): Promise<Section> {
  const worker = await testWorker(fileURLToPath(new URL('claims-d1.worker.ts', import.meta.url)))
  const call = async (path: string) => {
    const response = await worker.fetch(path)
    if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`)
  }
  await call('/install')
  let prefix = 0
  const way = (name: string, path: string): Way => ({
    name,
    run(count) {
      prefix += 1
      return call(`/${path}?count=${count}&prefix=${prefix}`)
    },
  })
  const raw = way('raw upsert, winning', 'raw')
  const win = way('acquire, winning', 'win')
  const single = await compare([raw, win, way('acquire, losing', 'loss')], { count: 500, rounds: 5 })
  const many = await compare([way('acquireMany of 1,000 keys, winning', 'many')], {
    count: 10_000,
    rounds: 3,
  })
  await worker.dispose()
  return {
    title: 'Claims on D1 (inside workerd)',
    note: 'The local runtime on the same machine: no network, so what is compared is the statements and the driver.',
    tables: [figureTable('one caller', single), figureTable('many keys in one call', many)],
    aims: [
      atMost('a win one by one: cost against the raw statement', 1.3, costRatio(single, win.name, raw.name)),
    ],
  }
}
