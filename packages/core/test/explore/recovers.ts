import { createClaims } from '../../src/claims/index.ts'
import { createOutbox } from '../../src/outbox/index.ts'
import type { Driver } from '../../src/port/driver.ts'
import { equal, fail, ok } from '../../src/testing/assert.ts'
import { OPTIONS, type World } from './world.ts'

const LATER = 100_000

/** Final states that have been tried: most orders end in one of a few. */
const tried = new WeakMap<World, Set<string>>()

export async function recoversFromLast(world: World): Promise<void> {
  const known = tried.get(world) ?? new Set()
  tried.set(world, known)
  const { claims, messages, disabled } = world.history.at(-1)!
  const state = JSON.stringify([[...claims.values()], [...messages.values()], [...disabled]])
  if (known.has(state)) return
  known.add(state)
  await recovers(world.driver)
}

/** Whatever happened, and whoever died: later each key can be won once, and each message is finished, in order. */
async function recovers(driver: Driver): Promise<void> {
  const claims = createClaims(driver)
  for (const holder of ['later', 'too late']) {
    const { won } = await claims.acquire('k', { ttl: 50, holder, now: LATER })
    equal(won, holder === 'later', `won by ${holder}`)
  }
  const outbox = createOutbox(driver, { ...OPTIONS, attempts: 100, maxAge: '30d' })
  for (const { destination } of await outbox.disabled()) await outbox.enable(destination)
  const last = new Map<string, number>()
  for (let round = 0; round < 20; round += 1) {
    const leased = await outbox.lease({ limit: 100, ttl: 50, now: LATER })
    if (!leased.ok) fail('could not ask')
    if (leased.messages.length + leased.dead.length === 0) break
    for (const message of leased.messages) {
      const queue = `${message.destination} ${message.orderingKey ?? message.id}`
      ok(message.id > (last.get(queue) ?? 0), `${message.dedupKey} came behind a later one`)
      last.set(queue, message.id)
      ok((await outbox.sent(message, { now: LATER })).ok, `${message.dedupKey} could not be finished`)
    }
  }
  const { messages } = await outbox.list()
  const open = messages.filter(({ finishedAt }) => finishedAt === null)
  equal(
    open.map(({ dedupKey }) => dedupKey),
    [],
    'messages that can never be finished',
  )
}
