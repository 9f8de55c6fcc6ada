import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver, Statement } from '../../src/port/driver.ts'
import { integer } from '../../src/port/row.ts'
import { type Actor, ExplorationError, explore, type Finished, memory } from '../../src/testing/index.ts'

const say = (name: string, text: string, ...values: (string | number)[]): Statement => ({
  name,
  text,
  values,
})

async function counter(driver: Driver): Promise<void> {
  await driver.execute(
    say('setup', 'create table counter (id integer primary key, value integer not null) strict'),
  )
  await driver.execute(say('setup', 'insert into counter values (1, 0)'))
}

/** The classic lost update: read, add in the program, write. */
const readThenWrite: Actor = async (driver) => {
  const [row] = await driver.execute(say('read', 'select value from counter where id = 1'))
  await driver.execute(say('write', 'update counter set value = ?', integer(row!, 'value') + 1))
}

const inOneStatement: Actor = async (driver) => {
  await driver.execute(say('add', 'update counter set value = value + 1'))
}

async function countsTwo({ driver }: Finished): Promise<void> {
  const [row] = await driver.execute(say('check', 'select value from counter'))
  assert.equal(row!.value, 2)
}

const steps =
  (count: number): Actor =>
  async (driver) => {
    for (let step = 0; step < count; step++) await driver.execute(say(`step-${step}`, 'select 1 as one'))
  }

test('the lost update of select-then-write is found, with a trace and a list to replay it', async () => {
  const options = {
    actors: { alice: readThenWrite, bob: readThenWrite },
    setup: counter,
    invariant: countsTwo,
  }
  const failure = await explore(options).then(
    () => assert.fail('the lost update was not found'),
    (error) => error as ExplorationError,
  )
  assert.ok(failure instanceof ExplorationError)
  assert.deepEqual(failure.violation?.replay, ['alice', 'bob', 'alice', 'bob'])
  assert.match(failure.message, /1\. alice {2}read -> 1 rows\n {2}2\. bob {4}read -> 1 rows/)
  await assert.rejects(explore({ ...options, replay: failure.violation!.replay }), ExplorationError)
  const report = await explore({ ...options, countViolations: true })
  assert.deepEqual(
    { ...report, firstViolation: undefined },
    {
      schedules: 6,
      crashes: 0,
      violations: 4,
      observed: {},
      firstViolation: undefined,
    },
  )
})

test('adding in one statement holds in every order', async () => {
  const report = await explore({
    actors: { alice: inOneStatement, bob: inOneStatement },
    setup: counter,
    invariant: countsTwo,
  })
  assert.deepEqual(report, { schedules: 2, crashes: 0, violations: 0, observed: {} })
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
