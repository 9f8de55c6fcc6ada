import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { testWorker } from '../engines/workerd.ts'
import type { Round } from './rounds.ts'

/** 64 racers inside Cloudflare's runtime. */
export async function raceD1(by: Round['by'], keys: number): Promise<void> {
  const entry = fileURLToPath(new URL('d1.worker.ts', import.meta.url))
  const worker = await testWorker(entry, { nodejsCompat: true })
  const response = await worker.fetch(`/${by}/${keys}`)
  assert.equal(await response.text(), 'ok')
  await worker.dispose()
}
