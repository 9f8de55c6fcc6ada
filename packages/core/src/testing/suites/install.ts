import { installSchemas, schemaStates } from '../../install/installer.ts'
import type { ModuleSchema } from '../../port/schema.ts'
import { sql, statement } from '../../port/sql.ts'
import { equal, rejects } from '../assert.ts'
import type { Case, Suite } from '../suite.ts'

const first: ModuleSchema = {
  module: 'sample',
  migrations: [
    {
      number: 1,
      name: 'a table',
      statements: (dialect, tables) => [
        sql`create table if not exists ${tables('sample')} (id ${dialect.integer} not null primary key)${dialect.tableOptions}`,
      ],
    },
  ],
}
const second: ModuleSchema = {
  module: 'sample',
  migrations: [
    ...first.migrations,
    {
      number: 2,
      name: 'a row',
      statements: (_dialect, tables) => [
        sql`insert into ${tables('sample')} (id) values (7) on conflict (id) do nothing`,
      ],
    },
  ],
}
const APPLIED_FIRST = { module: 'sample', number: 1, name: 'a table' }
const APPLIED_SECOND = { module: 'sample', number: 2, name: 'a row' }

const cases: readonly Case[] = [
  {
    name: 'applies what is missing, once',
    async run({ driver }) {
      equal((await installSchemas(driver, [first])).applied, [APPLIED_FIRST])
      equal((await installSchemas(driver, [first])).applied, [])
      equal((await installSchemas(driver, [second])).applied, [APPLIED_SECOND])
      equal((await schemaStates(driver, [second]))[0]!.applied, [1, 2])
    },
  },
]

export const installSuite: Suite = { name: 'install', cases }
