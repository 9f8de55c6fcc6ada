import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqlite } from '../../src/drivers/sqlite.ts'
import { put, say } from './given.ts'
import { file, memory } from './sqlite-given.ts'

test('a group shares one transaction, and each call has its own answer', async (t) => {
  const { driver, database, keys } = memory(t)
  const seen: string[] = []
  const watched = new Proxy(database, {
    get(target, name) {
      if (name === 'exec') {
        return (text: string) => {
          seen.push(text)
          target.exec(text)
        }
      }
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const { grouping } = sqlite(watched)
  await driver.execute(put('taken'))
  const answers = await grouping!.run([
    put('a'),
    put('taken'),
    [put('b'), put('taken', 1)],
    say('insert into nowhere values (1)'),
    [put('c', 1), put('d', 1)],
    say('select count(*) as n from t'),
  ])
  assert.deepEqual(
    answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.flat().length : answer.reason.code,
    ),
    [1, 0, 'GUARD_FAILED', 'SCHEMA', 2, 1],
  )
  assert.deepEqual(keys(), ['a', 'c', 'd', 'taken'])
  assert.deepEqual(
    seen.filter((text) => /^(begin|commit)/.test(text)),
    ['begin immediate', 'commit'],
  )
})

test('when the engine takes back a group, the calls are done one by one', async (t) => {
  for (const culprit of [
    put('poison'),
    [put('x'), put('poison')],
    say("insert into child values ('nobody')"),
  ]) {
    const { driver, keys } = memory(t)
    const answers = await driver.grouping!.run([put('a'), culprit, put('b')])
    assert.deepEqual(
      answers.map((answer) => answer.status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(keys(), ['a', 'b'])
  }
})

test('a group of reads takes no write lock', async (t) => {
  const { driver, other } = file(t, { waitAtMost: 1 })
  other.exec('begin immediate')
  const answers = await driver.grouping!.run([say('select 1 as a'), say('select 2 as a')])
  assert.deepEqual(
    answers.map((answer) => answer.status),
    ['fulfilled', 'fulfilled'],
  )
  other.exec('rollback')
})
