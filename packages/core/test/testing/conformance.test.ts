import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModuleSchema } from '../../src/port/schema.ts'
import { sql } from '../../src/port/sql.ts'
import { checksOf, collect, conformance, memory, type Suite, suites } from '../../src/testing/index.ts'

const sample: ModuleSchema = {
  module: 'sample',
  migrations: [
    {
      number: 1,
      name: 'a table',
      statements: (_dialect, tables) => [sql`create table ${tables('sample')} (id integer primary key)`],
    },
  ],
}

const insert = { name: 'insert', text: 'insert into rowlock_sample (id) values (1) returning id', values: [] }

const suite: Suite = {
  name: 'sample',
  schemas: [sample],
  cases: [
    { name: 'writes', run: async ({ driver }) => void (await driver.execute(insert)) },
    {
      name: 'finds nothing of the case before',
      run: async ({ driver }) => void (await driver.execute(insert)),
    },
    { name: 'fails', run: async () => assert.fail('as it must') },
    { name: 'wants a peer', needs: ['peer'], run: async ({ peer }) => void (await peer()) },
  ],
}

test('each case has a database of its own, with its tables; what an engine lacks is skipped with the reason', async () => {
  const { test: register, cases } = collect()
  conformance(memory(), { test: register, suites: [suite] })
  const results = []
  for (const { run } of cases) results.push(await run())
  assert.deepEqual(
    results.map(({ name, outcome }) => [name, outcome]),
    [
      ['node:sqlite, memory: sample: writes', 'passed'],
      ['node:sqlite, memory: sample: finds nothing of the case before', 'passed'],
      ['node:sqlite, memory: sample: fails', 'failed'],
      ['node:sqlite, memory: sample: wants a peer', 'skipped'],
    ],
  )
  assert.match(results[2]!.reason!, /as it must/)
  assert.equal(results[3]!.reason, 'peer: a database in memory belongs to one connection')
})

test('an engine that lacks a peer and does not say so fails the case', async () => {
  const { test: register, cases } = collect()
  conformance({ ...memory(), lacks: {} }, { test: register, suites: [suite] })
  const { outcome, reason } = await cases[3]!.run()
  assert.equal(outcome, 'failed')
  assert.match(reason!, /has no peer, and does not say why in `lacks`/)
})

test('as checks, the cases that an engine cannot show are left out', () => {
  assert.deepEqual(
    checksOf(memory(), [suite]).map(({ name }) => name),
    ['sample: writes', 'sample: finds nothing of the case before', 'sample: fails'],
  )
})

test('every suite has cases, and no two cases of a suite share a name', () => {
  assert.deepEqual(
    suites.map(({ name }) => name),
    ['driver', 'install', 'claims', 'outbox', 'liveness'],
  )
  for (const { cases } of suites) {
    assert.ok(cases.length > 5)
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length)
  }
})
