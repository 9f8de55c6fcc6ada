import { rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { type Actor, assert, type ExploreOptions, explore } from '../../src/testing/index.ts'

/** The example of the kit's README, so that what it prints stays true. */

const setup: NonNullable<ExploreOptions['setup']> = async (driver) => {
  await driver.execute({
    name: 'setup',
    text: 'create table seats (id integer primary key, taken_by text)',
    values: [],
  })
  await driver.execute({ name: 'setup', text: 'insert into seats (id) values (1)', values: [] })
}

const invariant: ExploreOptions['invariant'] = ({ outcomes }) => {
  const booked = Object.values(outcomes).filter(
    (outcome) => outcome.state === 'returned' && outcome.value === 'booked',
  )
  assert.equal(booked.length, 1)
}

test('looking before booking sells a seat twice, as the README prints', async () => {
  const book =
    (who: string): Actor =>
    async (driver) => {
      const [seat] = await driver.execute({
        name: 'look',
        text: 'select id from seats where taken_by is null',
        values: [],
      })
      if (seat === undefined) return 'sold out'
      await driver.execute({
        name: 'book',
        text: 'update seats set taken_by = ? where id = ?',
        values: [who, 1],
      })
      return 'booked'
    }
  await rejects(explore({ actors: { ann: book('ann'), bob: book('bob') }, setup, invariant }), {
    name: 'ExplorationError',
    message: `order 2: not equal
  expected: 1
  actual:   2
  1. ann  look -> 1 rows
  2. bob  look -> 1 rows
  3. ann  book -> 0 rows
  4. bob  book -> 0 rows
replay: ["ann","bob","ann","bob"]`,
  })
})

test('with the condition in the statement that decides, every order is right', async () => {
  const book =
    (who: string): Actor =>
    async (driver) => {
      const text = 'update seats set taken_by = ? where id = 1 and taken_by is null returning id'
      const rows = await driver.execute({ name: 'book', text, values: [who] })
      return rows.length > 0 ? 'booked' : 'sold out'
    }
  await explore({ actors: { ann: book('ann'), bob: book('bob'), cem: book('cem') }, setup, invariant })
})
