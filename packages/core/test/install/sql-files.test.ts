import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sqlite } from '../../src/drivers/sqlite.ts'
import { install, moduleSchemas, requireSchema, toSqlFiles } from '../../src/install/index.ts'
import type { ModuleSchema } from '../../src/port/schema.ts'
import { sql } from '../../src/port/sql.ts'

const sample: ModuleSchema = {
  module: 'sample',
  migrations: [
    {
      number: 1,
      name: "the sample's table",
      statements: ({ integer, tableOptions }, tables) => [
        sql`create table if not exists ${tables('sample')} (
  id ${integer} not null
)${tableOptions}`,
      ],
    },
    {
      number: 2,
      name: 'an index',
      statements: (_dialect, tables) => [
        sql`create index if not exists ${tables('sample_id')} on ${tables('sample')} (id)`,
      ],
    },
  ],
}

test('a file holds one statement a line, and writes itself down', () => {
  assert.deepEqual(toSqlFiles('postgres', { modules: [sample], prefix: 'my_', firstNumber: 7 }), [
    {
      name: '0007_rowlock_sample.sql',
      text: `create table if not exists "my_migrations" ( module text not null, number bigint not null, name text not null, applied_at bigint not null, primary key (module, number) );
create table if not exists "my_sample" ( id bigint not null );
insert into "my_migrations" (module, number, name, applied_at) values ('sample', 1, 'the sample''s table', cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)) on conflict (module, number) do nothing;
`,
    },
    {
      name: '0008_rowlock_sample_2.sql',
      text: `create table if not exists "my_migrations" ( module text not null, number bigint not null, name text not null, applied_at bigint not null, primary key (module, number) );
create index if not exists "my_sample_id" on "my_sample" (id);
insert into "my_migrations" (module, number, name, applied_at) values ('sample', 2, 'an index', cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)) on conflict (module, number) do nothing;
`,
    },
  ])
})

test('the files of all modules make what install makes', async () => {
  const tablesOf = (database: DatabaseSync) =>
    database.prepare('select type, name, tbl_name from sqlite_schema order by type, name').all()
  const byFiles = new DatabaseSync(':memory:')
  for (const { text } of toSqlFiles('sqlite')) byFiles.exec(text)
  const byInstall = new DatabaseSync(':memory:')
  await install(sqlite(byInstall))
  assert.ok(tablesOf(byFiles).length > 4)
  assert.deepEqual(tablesOf(byFiles), tablesOf(byInstall))
  await requireSchema(sqlite(byFiles))
  assert.deepEqual(await install(sqlite(byFiles)), { applied: [], statements: [] })
})

test('every module is numbered from 1 without gaps, under a name of its own', () => {
  assert.deepEqual(
    moduleSchemas.map(({ module }) => module),
    ['claims', 'outbox', 'liveness', 'markers'],
  )
  for (const { migrations } of moduleSchemas) {
    assert.deepEqual(
      migrations.map(({ number }) => number),
      migrations.map((_, index) => index + 1),
    )
  }
})

test('a first number that is none is refused', () => {
  assert.throws(() => toSqlFiles('sqlite', { firstNumber: -1 }), { code: 'INVALID_INPUT' })
})
