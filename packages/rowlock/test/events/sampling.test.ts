import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHub, rows, send } from '../hub.ts'

const flood = (from: number, count = 40) =>
  Array.from({ length: count }, (_, n) => ({ id: `e${from + n}`, message: 'stock ran out' }))

test('in a flood an issue is sampled once a second, and everything is counted', async () => {
  const here = await openHub()
  const kept = () =>
    rows(here, 'select event_id from rowlock_samples order by at, slot').map((row) => row.event_id)
  await send(here, flood(0))
  const first = kept()
  assert.equal(first.length, 21)

  here.now += 999
  await send(here, flood(40))
  assert.deepEqual(kept(), first)
  here.now += 1
  await send(here, flood(80))
  assert.deepEqual(new Set(kept()), new Set(['e0', ...Array.from({ length: 20 }, (_, n) => `e${n + 100}`)]))

  await send(here, flood(120, 31))
  assert.ok(kept().includes('e150'), 'a smaller group is no flood')
  assert.deepEqual(rows(here, 'select count from rowlock_issues'), [{ count: 151 }])
})
