import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Actor,
  ExplorationError,
  type ExploreOptions,
  explore,
  type Finished,
  memorySequential,
} from '../../src/testing/index.ts'
import { counted, counter, inOneStatement, readThenWrite, say, steps } from './counter.ts'

const countsTwo = async (finished: Finished) => assert.equal(await counted(finished), 2)

async function failureOf(options: ExploreOptions): Promise<ExplorationError> {
  const error = await explore(options).catch((thrown: unknown) => thrown)
  assert.ok(error instanceof ExplorationError, `explore gave ${String(error)}`)
  return error
}

test('the lost update of select-then-write is found, with a trace and a list to replay it', async () => {
  const options = {
    actors: { alice: readThenWrite, bob: readThenWrite },
    setup: counter,
    invariant: countsTwo,
  }
  const failure = await failureOf(options)
  assert.deepEqual(failure.violation?.replay, ['alice', 'bob', 'alice', 'bob'])
  assert.match(failure.message, /1\. alice {2}read -> 1 rows\n {2}2\. bob {4}read -> 1 rows/)
  assert.match(failure.message, /replay: \["alice","bob","alice","bob"\]/)

  const again = await failureOf({ ...options, replay: failure.violation!.replay })
  assert.deepEqual(again.violation?.replay, failure.violation?.replay)
  await explore({ ...options, replay: ['alice', 'alice', 'bob', 'bob'] })

  const { schedules, violations, firstViolation } = await explore({ ...options, countViolations: true })
  assert.deepEqual({ schedules, violations }, { schedules: 6, violations: 4 })
  assert.deepEqual(firstViolation?.replay, failure.violation?.replay)
})

test('adding in one statement holds in every order', async () => {
  const actors = { alice: inOneStatement, bob: inOneStatement }
  assert.deepEqual(await explore({ actors, setup: counter, invariant: countsTwo }), {
    schedules: 2,
    crashes: 0,
    violations: 0,
    observed: {},
  })
})

test('three actors of four statements have 34,650 orders, and every one is run', async () => {
  const seen = new Set<string>()
  const report = await explore({
    actors: { a: steps(4), b: steps(4), c: steps(4) },
    invariant: ({ trace }) => void seen.add(trace.map(({ actor }) => actor).join('')),
  })
  assert.equal(report.schedules, 34_650)
  assert.equal(seen.size, 34_650)
})

test('a batch is one step, and without an atomic batch each of its statements is one', async () => {
  const batch: Actor = (driver) =>
    driver.batch([say('one', 'select 1 as one'), say('two', 'select 2 as two')])
  const actors = { a: batch, b: batch }
  const names: string[] = []
  const invariant = ({ trace }: Finished) => void names.push(trace[0]!.statements.join('+'))
  assert.equal((await explore({ actors, invariant })).schedules, 2)
  assert.equal((await explore({ actors, invariant, engine: memorySequential() })).schedules, 6)
  assert.deepEqual(new Set(names), new Set(['one+two', 'one']))
})

test('each order begins with the data of setup, and with their rowids and counters', async () => {
  const add: Actor = (driver) => driver.execute(say('add', 'insert into log (text) values (1) returning id'))
  await explore({
    actors: { a: add, b: add },
    async setup(driver) {
      await driver.execute(say('setup', 'create table log (id integer primary key autoincrement, text text)'))
      await driver.execute(say('setup', "insert into log (text) values ('first'), ('gone')"))
      await driver.execute(say('setup', 'delete from log where id = 2'))
    },
    async invariant({ driver }) {
      const rows = await driver.execute(say('check', 'select id, text from log order by id'))
      assert.deepEqual(
        rows.map(({ id, text }) => [id, text]),
        [
          [1, 'first'],
          [3, '1'],
          [4, '1'],
        ],
      )
    },
  })
})

test('an actor that changes the schema finds the old one again in the next order', async () => {
  const create: Actor = (driver) =>
    driver.execute(say('create', 'create table if not exists made (id integer)'))
  const insert: Actor = async (driver) => {
    const [found] = await driver.execute(
      say('look', "select 1 as one from sqlite_schema where name = 'made'"),
    )
    return found !== undefined
  }
  const report = await explore({
    actors: { create, insert },
    invariant() {},
    observe: ({ outcomes: { insert: outcome } }) => [
      `found ${outcome?.state === 'returned' && outcome.value}`,
    ],
  })
  assert.deepEqual(report.observed, { 'found true': 1, 'found false': 1 })
})

test('a sample is so many drawn orders, the same for the same seed', async () => {
  const run = async (seed: number) => {
    const seen: string[] = []
    const report = await explore({
      actors: { a: steps(4), b: steps(4), c: steps(4) },
      invariant: ({ trace }) => void seen.push(trace.map(({ actor }) => actor).join('')),
      sample: 50,
      seed,
    })
    assert.equal(report.schedules, 50)
    return seen
  }
  assert.deepEqual(await run(3), await run(3))
  assert.notDeepEqual(await run(3), await run(4))
  assert.ok(new Set(await run(3)).size > 40)
})

test('an actor that throws is a violation, unless that was allowed', async () => {
  const failing: Actor = async (driver) => {
    await inOneStatement(driver)
    throw new TypeError('a mistake in the actor')
  }
  const options = { actors: { a: failing, b: inOneStatement }, setup: counter, invariant: countsTwo }
  assert.match((await failureOf(options)).message, /a threw TypeError: a mistake in the actor/)
  await explore({ ...options, mayThrow: (error) => error instanceof TypeError })
})

test('an exploration that proves nothing fails', async () => {
  const invariant = () => {}
  const two = { a: steps(1), b: steps(1) }
  const messageOf = async (options: ExploreOptions) => (await failureOf(options)).message
  assert.match(await messageOf({ actors: { a: steps(3) }, invariant }), /never were two actors at work/)
  assert.match(await messageOf({ actors: { a: steps(0), b: steps(0) }, invariant }), /never were two actors/)
  assert.match(
    await messageOf({ actors: two, invariant, observe: () => ['winner'], mustSee: ['winner', 'loser'] }),
    /none of 2 orders showed: loser/,
  )
  assert.match(await messageOf({ actors: two, invariant, atMost: 1 }), /more than 1 orders/)
})

test('actors that do not do the same each time are found out', async () => {
  let calls = 0
  const fickle: Actor = (driver) => steps(calls++ % 2 === 0 ? 2 : 1)(driver)
  await assert.rejects(
    explore({ actors: { a: fickle, b: steps(2) }, invariant() {} }),
    /not do the same each time/,
  )
})
