import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Courier } from '../../src/deliveries/courier.ts'
import { startDeliveryWorker } from '../../src/deliveries/worker.ts'

/** A courier with a heap of deliveries, each of which ends when the test says so. */
function heap(count: number) {
  const underWay: (() => void)[] = []
  const state = { left: count, asked: 0, most: 0 }
  const courier: Courier = {
    async begin(limit) {
      state.asked += 1
      const taken = Math.min(limit, state.left)
      state.left -= taken
      const begun = Array.from(
        { length: taken },
        () => new Promise<void>((resolve) => void underWay.push(resolve)),
      )
      state.most = Math.max(state.most, underWay.length)
      return begun
    },
    round: async () => 0,
  }
  return { courier, state, underWay }
}

const settled = () => new Promise<void>(setImmediate)

test('it takes as many as may be under way, and more as they end', async () => {
  const { courier, state, underWay } = heap(100)
  const worker = startDeliveryWorker({ courier, onProblem: assert.fail })
  await settled()
  assert.equal(underWay.length, 32)
  while (underWay.length > 0) {
    underWay.shift()?.()
    await settled()
  }
  assert.equal(state.left, 0)
  assert.ok(state.most <= 32)
  await worker.stop()
})

test('a wake-up makes it look at once, also while it is looking', async () => {
  const { courier, state } = heap(0)
  const worker = startDeliveryWorker({ courier, onProblem: assert.fail })
  worker.wake()
  await settled()
  assert.equal(state.asked, 2)
  worker.wake()
  await settled()
  assert.equal(state.asked, 3)
  await worker.stop()
  worker.wake()
  await settled()
  assert.equal(state.asked, 3)
})

test('stopping waits for what is under way', async () => {
  const { courier, underWay } = heap(2)
  const worker = startDeliveryWorker({ courier, onProblem: assert.fail })
  await settled()
  let stopped = false
  const stop = worker.stop().then(() => {
    stopped = true
  })
  underWay[0]?.()
  await settled()
  assert.equal(stopped, false)
  underWay[1]?.()
  await stop
})

test('a database that cannot be asked is told of, and asked again', async () => {
  const problems: string[] = []
  let asked = 0
  const courier: Courier = {
    async begin() {
      asked += 1
      throw new Error('no database')
    },
    round: async () => 0,
  }
  const worker = startDeliveryWorker({
    courier,
    onProblem: (problem, cause) => problems.push(`${problem}: ${(cause as Error).message}`),
  })
  await settled()
  worker.wake()
  await settled()
  assert.equal(asked, 2)
  assert.equal(problems[0], 'looking for deliveries failed: no database')
  await worker.stop()
})
