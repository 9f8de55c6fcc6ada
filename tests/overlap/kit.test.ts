import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Driver, type Row, sql } from '@rowlock/core'
import { statement } from '@rowlock/core/module'
import { type Actor, ExplorationError, explore, type Finished, overlap } from '@rowlock/core/testing'
import { overlapDatabase } from './connect.ts'

const database = await overlapDatabase()
after(() => database.drop())

const run = (driver: Driver, name: string, piece: ReturnType<typeof sql>): Promise<Row[]> =>
  driver.execute(statement(driver.dialect, piece, { name }))

const winnersIn = ({ outcomes }: Finished) =>
  Object.values(outcomes).filter((outcome) => outcome.state === 'returned' && outcome.value === 'won')

const oneWinner = (finished: Finished) => assert.equal(winnersIn(finished).length, 1)

async function claims(driver: Driver): Promise<void> {
  await run(driver, 'setup', sql`create table if not exists claims (key text primary key, at bigint)`)
  await run(driver, 'setup', sql`delete from claims`)
}

/** A claim that looks for a live row first and knows no conflict. */
const notExists: Actor = async (driver) => {
  const rows = await run(
    driver,
    'insert',
    sql`insert into loose (key) select 'k' where not exists (select 1 from loose where key = 'k') returning key`,
  )
  return rows.length > 0 ? 'won' : 'lost'
}

async function loose(driver: Driver): Promise<void> {
  await run(driver, 'setup', sql`create table if not exists loose (key text)`)
  await run(driver, 'setup', sql`delete from loose`)
}

test('INSERT ... WHERE NOT EXISTS: right in every order of whole statements, two winners when they overlap', async () => {
  const actors = { a: notExists, b: notExists }
  await explore({ actors, setup: loose, invariant: oneWinner })
  const failure = await overlap({
    actors,
    connect: database.connect,
    setup: loose,
    invariant: oneWinner,
  }).catch((error: unknown) => error)
  assert.ok(failure instanceof ExplorationError)
  assert.match(
    failure.message,
    /1\. a {2}insert -> 1 rows\n {2}2\. b {2}insert -> 1 rows\n {2}3\. a {2}commit/,
  )
  assert.deepEqual(failure.violation!.replay, ['a', 'b', 'a', 'b'])
  const report = await overlap({
    actors,
    connect: database.connect,
    setup: loose,
    invariant: oneWinner,
    countViolations: true,
  })
  assert.deepEqual([report.schedules, report.violations, report.waited], [6, 4, 0])
})

/** Takes the first free row, found in a sub-select that guards nothing. */
const takeFirst =
  (again: string): Actor =>
  async (driver) => {
    const free = sql`select id from seats where taken_by is null order by id limit 1`
    const guard = again === '' ? sql`` : sql` and taken_by is null`
    const text = sql`update seats set taken_by = coalesce(taken_by, '') || 'x' where id = (${free})${guard} returning id`
    const [seat] = await run(driver, 'take', text)
    return seat === undefined ? 'none' : 'won'
  }

async function seats(driver: Driver): Promise<void> {
  await run(driver, 'setup', sql`create table if not exists seats (id integer primary key, taken_by text)`)
  await run(driver, 'setup', sql`delete from seats`)
  await run(driver, 'setup', sql`insert into seats (id) values (1)`)
}

test('UPDATE ... = (SELECT ... LIMIT 1): right in every order of whole statements, one row granted twice when they overlap', async () => {
  const actors = { a: takeFirst(''), b: takeFirst('') }
  await explore({ actors, setup: seats, invariant: oneWinner })
  const failure = await overlap({
    actors,
    connect: database.connect,
    setup: seats,
    invariant: oneWinner,
  }).catch((error: unknown) => error)
  assert.ok(failure instanceof ExplorationError)
  assert.match(failure.message, /2\. b {2}take -> 1 rows {2}\(had to wait\)/)
})

test('with the condition again outside, the row is granted once in every order', async () => {
  const report = await overlap({
    actors: { a: takeFirst('again'), b: takeFirst('again'), c: takeFirst('again') },
    connect: database.connect,
    setup: seats,
    invariant: oneWinner,
  })
  assert.equal(report.violations, 0)
  assert.ok(report.waited > 0)
})

test('an upsert that states its condition has one winner, and the others are seen to wait', async () => {
  const upsert: Actor = async (driver) => {
    const rows = await run(
      driver,
      'claim',
      sql`insert into claims (key, at) values ('k', 1) on conflict (key) do update set at = 1 where claims.at is null returning key`,
    )
    return rows.length > 0 ? 'won' : 'lost'
  }
  const report = await overlap({
    actors: { a: upsert, b: upsert },
    connect: database.connect,
    setup: claims,
    invariant: oneWinner,
    observe: (finished) => [winnersIn(finished).length === 1 ? 'winner' : 'none'],
    mustSee: ['winner'],
  })
  // One after the other, twice; and for either that comes first, the other waits for its COMMIT.
  assert.deepEqual(report, { schedules: 4, crashes: 0, violations: 0, observed: { winner: 4 }, waited: 2 })
})

test('a deadlock is met as it is in life: the batch is tried again and both come through', async () => {
  const pair =
    (first: number, second: number): Actor =>
    (driver) =>
      driver.batch(
        [first, second].map((id) =>
          statement(driver.dialect, sql`update seats set taken_by = 'x' where id = ${id} returning id`, {
            name: `take ${id}`,
            expect: 1,
          }),
        ),
      )
  const setup = async (driver: Driver) => {
    await seats(driver)
    await run(driver, 'setup', sql`insert into seats (id) values (2)`)
  }
  const report = await overlap({
    actors: { a: pair(1, 2), b: pair(2, 1) },
    connect: database.connect,
    setup,
    invariant() {},
    observe: ({ trace }) => (trace.some(({ error }) => error !== undefined) ? ['deadlock'] : []),
    mustSee: ['deadlock'],
  })
  assert.equal(report.violations, 0)
})
