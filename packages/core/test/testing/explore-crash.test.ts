import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnavailableError } from '../../src/errors.ts'
import {
  type Actor,
  ExplorationError,
  explore,
  type Finished,
  memorySequential,
} from '../../src/testing/index.ts'
import { counted, counter, inOneStatement, say, steps } from './counter.ts'

const invariant = () => {}

test('every crash in every place of every order, for two actors', async () => {
  // One step each: 2 orders; before or after, killed or lost, for either actor, first or second: 16.
  const one = await explore({ actors: { a: steps(1), b: steps(1) }, invariant, crash: 'every' })
  assert.deepEqual(one, {
    schedules: 18,
    crashes: 16,
    violations: 0,
    observed: { 'killed before': 4, 'killed after': 4, 'lost before': 4, 'lost after': 4 },
  })
  // Two steps each: 6 orders and 60 crashes; to be killed before a second step is to be killed after the first.
  const two = await explore({ actors: { a: steps(2), b: steps(2) }, invariant, crash: 'every' })
  assert.equal(two.schedules, 66)
  assert.equal(two.crashes, 60)
})

test('with three actors each order is run once more with one drawn crash, the same for the same seed', async () => {
  const run = async (seed: number) => {
    const met: string[] = []
    const report = await explore({
      actors: { a: steps(2), b: steps(2), c: steps(2) },
      invariant: ({ trace }) => {
        const at = trace.findIndex(({ crash }) => crash !== undefined)
        if (at >= 0) met.push(`${trace[at]!.actor} ${at} ${JSON.stringify(trace[at]!.crash)}`)
      },
      crash: 'drawn',
      seed,
    })
    assert.equal(report.schedules, 180)
    assert.equal(report.crashes, 90)
    return met.join()
  }
  assert.equal(await run(7), await run(7))
  assert.notEqual(await run(7), await run(8))
})

test('killed: the statement is applied or not, and the actor never goes on', async () => {
  const seen = new Set<string>()
  await explore({
    actors: { a: inOneStatement, b: steps(1) },
    setup: counter,
    crash: 'every',
    async invariant(finished: Finished) {
      const crashed = finished.trace.find(({ crash }) => crash)
      const { a } = finished.outcomes
      const label = crashed?.actor === 'a' ? `${crashed.crash!.fate} ${crashed.crash!.at}` : 'none'
      seen.add(`${label}: ${a!.state}, value ${await counted(finished)}`)
    },
  })
  assert.deepEqual([...seen].sort(), [
    'killed after: killed, value 1',
    'killed before: killed, value 0',
    'lost after: threw, value 1',
    'lost before: threw, value 0',
    'none: returned, value 1',
  ])
})

test('lost: the actor sees an unknown outcome and may go on', async () => {
  const careful: Actor = async (driver) => {
    try {
      await driver.execute(say('add', 'update counter set value = value + 1'))
    } catch (error) {
      assert.ok(error instanceof UnavailableError && error.applied === 'unknown')
      const [row] = await driver.execute(say('look', 'select value from counter'))
      return `unknown, then saw ${row!.value}`
    }
    return 'added'
  }
  const { observed } = await explore({
    actors: { a: careful, b: steps(1) },
    setup: counter,
    invariant,
    crash: 'every',
    observe: ({ outcomes: { a } }) => [a?.state === 'returned' ? String(a.value) : a!.state],
    mustSee: ['added', 'unknown, then saw 0', 'unknown, then saw 1', 'killed'],
  })
  assert.equal(observed['killed after'], 4)
})

const transfer: Actor = (driver) =>
  driver.batch([
    say('take', 'update counter set value = value - 1'),
    say('give', 'update counter set value = value + 1'),
  ])

test('a crash inside a batch is seen where the batch is not atomic, and can be replayed', async () => {
  const options = {
    actors: { a: transfer, b: transfer },
    setup: counter,
    crash: 'every' as const,
    invariant: async (finished: Finished) => assert.equal(await counted(finished), 0),
  }
  await explore(options)
  const failure = await explore({ ...options, engine: memorySequential() }).catch((error: unknown) => error)
  assert.ok(failure instanceof ExplorationError)
  assert.match(failure.message, /\(lost before this step\)/)
  const { replay } = failure.violation!
  assert.ok(replay.some((choice) => choice.endsWith('lost before')))
  await assert.rejects(explore({ ...options, engine: memorySequential(), replay }), ExplorationError)
  await assert.rejects(
    explore({ ...options, replay: ['nobody'] }),
    /cannot be "nobody" here; it can be: a, b, a killed/,
  )
})
