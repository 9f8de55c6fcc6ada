import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres, sqlite } from '../../src/port/dialect.ts'
import type { Driver, Statement, Value } from '../../src/port/driver.ts'
import { mutants } from '../../src/testing/index.ts'

const named = (text: string, ...values: Value[]): Statement => ({ name: 's', text, values })

function textsOf(statement: Statement, dialect = sqlite): string[] {
  const made = mutants({ statements: [statement], batches: [] }, { dialect })
  return made.map(({ kind, text }) => `${kind}: ${text.replace(/\s+/g, ' ').trim()}`)
}

/** What a mutant sends for a statement. */
async function sent(statement: Statement, kind: string): Promise<Statement[]> {
  const log: Statement[] = []
  const driver: Driver = {
    dialect: sqlite,
    atomicBatch: true,
    async execute(each) {
      log.push(each)
      return []
    },
    batch: async () => [],
  }
  for (const mutant of mutants({ statements: [statement], batches: [] }, { dialect: sqlite })) {
    if (mutant.kind === kind) await mutant.apply(driver).execute(statement)
  }
  return log
}

test('comparisons become their neighbours; assignments do not', () => {
  assert.deepEqual(textsOf(named('update t set a = b where c < d')), [
    'compare: update t set a = b where c <= d',
    'compare: update t set a = b where c > d',
    'drop-where: update t set a = b',
  ])
  assert.deepEqual(textsOf(named('select a >= b, c <> d')), [
    'compare: select a > b, c <> d',
    'compare: select a <= b, c <> d',
    'compare: select a >= b, c = d',
  ])
})

test('conditions lose one term or one branch, whatever they are nested in', () => {
  const text = 'select a from t where (x is null or y between 1 and 2) and case when p and q then r end'
  assert.deepEqual(textsOf(named(text)), [
    'drop-term: select a from t where case when p and q then r end',
    'drop-term: select a from t where (x is null or y between 1 and 2)',
    'drop-branch: select a from t where ( y between 1 and 2) and case when p and q then r end',
    'drop-branch: select a from t where (x is null) and case when p and q then r end',
    'drop-term: select a from t where (x is null or y between 1 and 2) and case when q then r end',
    'drop-term: select a from t where (x is null or y between 1 and 2) and case when p then r end',
    'drop-where: select a from t',
  ])
})

test('a value goes with the parameter that held it', async () => {
  const dropped = await sent(named('select a from t where b = ? and c = ? and d = ?', 1, 2, 3), 'drop-term')
  assert.deepEqual(
    dropped.map(({ values }) => values),
    [
      [2, 3],
      [1, 3],
      [1, 2],
    ],
  )
  const numbered = await sent(
    named('select a from t where b = $1 and c = $2 and d = $1 + $3', 1, 2, 3),
    'drop-term',
  )
  assert.deepEqual(
    numbered.map(({ text, values }) => [text.replace(/\s+/g, ' '), values]),
    [
      ['select a from t where c = $1 and d = $2 + $3', [2, 1, 3]],
      ['select a from t where b = $1 and d = $1 + $2', [1, 3]],
      ['select a from t where b = $1 and c = $2', [1, 2]],
    ],
  )
})

test('an upsert does nothing, forgets an assignment, keeps its own column, or overwrites anybody', () => {
  const text = `insert into "t" (k, v) values (?, ?) on conflict (k) do update set v = excluded.v, n = t.n + 1 where t.v is null returning k`
  assert.deepEqual(textsOf(named(text)), [
    `drop-where: insert into "t" (k, v) values (?, ?) on conflict (k) do update set v = excluded.v, n = t.n + 1 returning k`,
    `do-nothing: insert into "t" (k, v) values (?, ?) on conflict (k) do nothing returning k`,
    `own-column: insert into "t" (k, v) values (?, ?) on conflict (k) do update set v = "t".v, n = t.n + 1 where t.v is null returning k`,
    `drop-assignment: insert into "t" (k, v) values (?, ?) on conflict (k) do update set n = t.n + 1 where t.v is null returning k`,
    `drop-assignment: insert into "t" (k, v) values (?, ?) on conflict (k) do update set v = excluded.v where t.v is null returning k`,
    `sign: insert into "t" (k, v) values (?, ?) on conflict (k) do update set v = excluded.v, n = t.n - 1 where t.v is null returning k`,
  ])
})

test('locks and orders go, and SKIP LOCKED by itself', () => {
  const text = 'select id from t where a order by id limit 1 for no key update skip locked'
  assert.deepEqual(textsOf(named(text), postgres), [
    'drop-where: select id from t order by id limit 1 for no key update skip locked',
    'drop-order: select id from t where a limit 1 for no key update skip locked',
    'drop-lock: select id from t where a order by id limit 1',
    'drop-skip-locked: select id from t where a order by id limit 1 for no key update',
  ])
})

test('a schema loses its unique keys and the predicates of its indexes', () => {
  assert.deepEqual(textsOf(named('create unique index i on t (a) where b is null')), [
    'drop-where: create unique index i on t (a)',
    'drop-unique: create index i on t (a) where b is null',
  ])
})

test("the sender's clock takes the place of the database's, and nothing inside it is touched", () => {
  const clock = sqlite.clock.pieces.join('')
  assert.deepEqual(textsOf(named(`select coalesce(?, ${clock}) as now`)), [
    `clock: select coalesce(?, (${clock} + 3600000)) as now`,
    `clock: select coalesce(?, (${clock} - 3600000)) as now`,
  ])
})

test('text in quotes and comments is left alone', () => {
  assert.deepEqual(textsOf(named(`select 'a < b and c', "x = y" -- where a < b\n from t`)), [])
})

test('a recursion that a mistake makes endless comes to an end', () => {
  const text = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 9) select i from n'
  const [first] = textsOf(named(text))
  assert.equal(
    first,
    'compare: with recursive n(i) as (select 1 union all select i + 1 from n where i <= 9 limit 1000) select i from n',
  )
})

test('a batch loses an expect, or has two neighbours swapped and their rows put back', async () => {
  const batch: Statement[] = [
    { name: 'one', text: 'one', values: [], expect: 1 },
    { name: 'two', text: 'two', values: [] },
  ]
  const log: string[] = []
  const driver: Driver = {
    dialect: sqlite,
    atomicBatch: true,
    execute: async () => [],
    async batch(statements) {
      log.push(statements.map(({ name, expect }) => `${name}:${expect}`).join(' '))
      return statements.map(({ name }) => [{ name }])
    },
  }
  for (const { apply } of mutants({ statements: [], batches: [batch] }, { dialect: sqlite })) {
    assert.deepEqual(await apply(driver).batch(batch), [[{ name: 'one' }], [{ name: 'two' }]])
  }
  assert.deepEqual(log, ['one:undefined two:undefined', 'two:undefined one:1'])
})
