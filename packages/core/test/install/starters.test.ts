import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installSchemas, schemaStates } from '../../src/install/installer.ts'
import type { ModuleSchema } from '../../src/port/schema.ts'
import { sql } from '../../src/port/sql.ts'
import { type Actor, explore, type Finished, memory, memorySequential } from '../../src/testing/index.ts'

const sample: ModuleSchema = {
  module: 'sample',
  migrations: [
    {
      number: 1,
      name: 'a table',
      statements: (_dialect, tables) => [
        sql`create table if not exists ${tables('sample')} (id integer not null primary key)`,
        sql`create index if not exists ${tables('sample_id')} on ${tables('sample')} (id)`,
      ],
    },
    {
      number: 2,
      // Not idempotent: applied twice, it would leave two rows.
      name: 'a row',
      statements: (_dialect, tables) => [
        sql`insert into ${tables('sample')} (id) select coalesce(max(id), 0) + 7 from ${tables('sample')}`,
      ],
    },
  ],
}

const firstStep: ModuleSchema = { module: 'sample', migrations: sample.migrations.slice(0, 1) }

const exploration = (schema: ModuleSchema, ids: readonly number[]) => {
  const starter: Actor = async (driver) => (await installSchemas(driver, [schema])).applied.length
  return {
    actors: { one: starter, two: starter },
    crash: 'every' as const,
    /** Whoever returned found the tables complete; whatever happened, the next start completes them. */
    async invariant({ driver, outcomes }: Finished) {
      const returned = Object.values(outcomes).some(({ state }) => state === 'returned')
      const [state] = await schemaStates(driver, [schema])
      if (returned) assert.equal(state!.state, 'current')
      await installSchemas(driver, [schema])
      const rows = await driver.execute({ name: 'check', text: 'select id from rowlock_sample', values: [] })
      assert.deepEqual(
        rows.map(({ id }) => id),
        ids,
      )
    },
    observe: ({ outcomes }: Finished) =>
      Object.values(outcomes).map((outcome) =>
        outcome.state === 'returned' ? `applied ${outcome.value}` : outcome.state,
      ),
  }
}

test('two starters, every order and every crash: the next start completes whatever was begun', async () => {
  const report = await explore({
    ...exploration(sample, [7]),
    engine: memory(),
    mustSee: ['applied 0', 'applied 1', 'applied 2', 'killed'],
  })
  console.log(`# install, two starters: ${report.schedules} orders, ${report.crashes} with a crash`)
  assert.ok(report.crashes > 1000)
})

test('the same where the statements of a migration run one by one', async () => {
  const report = await explore({
    ...exploration(firstStep, []),
    engine: memorySequential(),
    mustSee: ['applied 0', 'applied 1', 'killed'],
  })
  console.log(`# install, no atomic batch: ${report.schedules} orders, ${report.crashes} with a crash`)
  assert.ok(report.crashes > 1000)
})
