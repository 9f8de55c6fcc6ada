import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '../../src/port/driver.ts'
import { type Check, explore, killAll, MutationError, memory, survivorsIn } from '../../src/testing/index.ts'
import { counter, say } from './counter.ts'

/** Adds one while there is room; at most two have room. */
const add = async (driver: Driver): Promise<boolean> => {
  const text = 'update counter set value = value + 1 where id = 1 and value < 2 returning value'
  return (await driver.execute(say('add', text))).length > 0
}

const firstTwo: Check = {
  name: 'the first two have room',
  async run(engine) {
    const { driver, dispose } = await engine.open()
    await counter(driver)
    assert.deepEqual([await add(driver), await add(driver), await add(driver)], [true, true, false])
    const [row] = await driver.execute(say('look', 'select value from counter where id = 1'))
    assert.equal(row!.value, 2)
    await dispose()
  },
}

/** A check may explore. */
const inEveryOrder: Check = {
  name: 'one of three is turned away, in every order',
  async run(engine) {
    await explore({
      engine,
      actors: { a: add, b: add, c: add },
      setup: counter,
      invariant({ outcomes }) {
        const won = Object.values(outcomes).filter((outcome) => outcome.state === 'returned' && outcome.value)
        assert.equal(won.length, 2)
      },
    })
  },
}

const only = ({ name }: { name: string }) => name === 'add'
const ONE_ROW = 'add: drop-term: id = 1'

test('every mistake is killed or explained', async () => {
  const report = await killAll({
    engine: memory(),
    checks: [inEveryOrder, firstTwo],
    only,
    survivors: { [ONE_ROW]: 'the table has one row' },
  })
  assert.deepEqual(
    { ...report, survivors: report.survivors.map(({ id }) => id) },
    {
      mutants: 7,
      killed: 6,
      refused: 0,
      survivors: [ONE_ROW],
      killedBy: { 'one of three is turned away, in every order': 6 },
    },
  )
})

test('a survivor that nobody explained, and an explanation that nothing needs, both fail', async () => {
  const options = { engine: memory(), checks: [firstTwo], only }
  await assert.rejects(killAll(options), (error: MutationError) => {
    assert.ok(error instanceof MutationError)
    assert.match(
      error.message,
      /^of 7 mutants:\nsurvived: add: drop-term: id = 1\n {4}in: .*where id = 1 and value < 2/,
    )
    return true
  })
  const survivors = { [ONE_ROW]: 'the table has one row', 'add: sign: gone': 'no longer there' }
  await assert.rejects(killAll({ ...options, survivors }), /explained, but not there: add: sign: gone/)
  const killed = 'add: drop-term: value < 2'
  await assert.rejects(
    killAll({ ...options, survivors: { [ONE_ROW]: 'one row', [killed]: 'wrong' } }),
    /explained, but killed: add: drop-term: value < 2/,
  )
})

test('checks that fail by themselves kill nothing', async () => {
  const failing: Check = { name: 'fails', run: async () => assert.fail('by itself') }
  await assert.rejects(killAll({ engine: memory(), checks: [failing] }), /"fails" fails without any mutant/)
})

test('survivors are read from the page on which people keep them', () => {
  const page =
    '# Survivors\n\n- `a: compare: x < y: < to <=`: the edge\n  is never met\n* `b: drop-order: order by id`: one row\n'
  assert.deepEqual(survivorsIn(page), {
    'a: compare: x < y: < to <=': 'the edge is never met',
    'b: drop-order: order by id': 'one row',
  })
})
