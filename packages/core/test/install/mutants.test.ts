import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installSchemas } from '../../src/install/installer.ts'
import type { Driver } from '../../src/port/driver.ts'
import { type Check, checksOf, explore, killAll, memory, suites } from '../../src/testing/index.ts'
import { later, SUM, TABLE } from '../../src/testing/suites/install/samples.ts'

const applied = async (driver: Driver) => (await installSchemas(driver, [later])).applied

const starters: Check = {
  name: 'two starters, every order: each migration is applied by one of them',
  async run(engine) {
    await explore({
      engine,
      actors: { one: applied, two: applied },
      async invariant({ driver, outcomes }) {
        const answers = Object.values(outcomes).flatMap((outcome) =>
          outcome.state === 'returned' ? (outcome.value as (typeof TABLE)[]) : [],
        )
        assert.deepEqual(
          answers.sort((left, right) => left.number - right.number),
          [TABLE, SUM],
        )
        const look = { name: 'look', text: 'select id from rowlock_sample', values: [] }
        assert.equal((await driver.execute(look)).length, 1)
      },
    })
  },
}

const SURVIVORS = {
  'install.record: swap: install.record and install.sample-1 in [install.record, install.sample-1]':
    'the batch is atomic, so who falls short leaves nothing behind wherever its row stands',
  'install.record: swap: install.record and install.sample-2 in [install.record, install.sample-2]':
    'the same: standing first spares the loser the work, no more',
}

test('every mistake in the installer’s own SQL is noticed, or changes nothing', async () => {
  const engine = memory()
  const install = suites.filter(({ name }) => name === 'install')
  const cases = checksOf(engine, install).filter(({ name }) => /once|writes down|leaves nothing/.test(name))
  const report = await killAll({
    engine,
    checks: [starters, ...cases],
    only: ({ name, text }) => /^install\.(?:applied|create|record)$/.test(name) && !text.includes('broken'),
    survivors: SURVIVORS,
  })
  console.log(
    `# install: ${report.killed} of ${report.mutants} mutants killed, ${report.refused} of them refused by SQLite`,
  )
})
