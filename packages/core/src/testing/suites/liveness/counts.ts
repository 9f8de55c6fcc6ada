import type { Driver } from '../../../port/driver.ts'
import { sql, statement } from '../../../port/sql.ts'
import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
  alertsOn,
  alive,
  at,
  checkAt,
  downAt,
  fleetOf,
  given,
  livenessOn,
  names,
  outagesOf,
  subjectOf,
  sum,
} from './given.ts'

const run = (driver: Driver, text: ReturnType<typeof sql>) =>
  driver.execute(statement(driver.dialect, text, { name: 'test.change' }))

export const countCases: readonly Case[] = [
  {
    name: 'many checks at once: their summaries add up to what the tables gained',
    async run({ driver }) {
      const liveness = livenessOn(driver, { mass: { share: 1, least: 10_000, holdTicks: 0 } })
      await fleetOf(liveness, names(40))
      const checks = await Promise.all(Array.from({ length: 8 }, () => checkAt(liveness, 5)))
      const outages = await outagesOf(liveness)
      equal([sum(checks, 'opened'), outages.length], [40, 40])
      equal([sum(checks, 'alertsQueued'), (await alertsOn(driver)).length], [40, 40])
      equal(new Set(outages.map(({ subject }) => subject)).size, 40)
      for (const { newlyDown, opened, raced } of checks)
        ok(opened + raced <= newlyDown, 'more than was proposed')
    },
  },
  {
    name: 'who beat between the reading and the write is raced, and never an outage',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['a', 'b'])
      const slow = livenessOn(slowed(driver, () => given(liveness.beat('a', { now: at(5) }))))
      const { newlyDown, opened, raced, alertsQueued } = await checkAt(slow, 5)
      equal([newlyDown, opened, raced, alertsQueued], [2, 1, 1, 1])
      equal(
        (await outagesOf(liveness)).map(({ subject }) => subject),
        ['b'],
      )
      equal((await subjectOf(liveness, 'a', 5)).state, 'up')
    },
  },
  {
    name: 'a check that comes too late counts nothing: neither an opening nor a race',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['a'])
      const slow = livenessOn(slowed(driver, () => checkAt(liveness, 5)))
      const { newlyDown, opened, raced, alertsQueued } = await checkAt(slow, 5)
      equal([newlyDown, opened, raced, alertsQueued], [1, 0, 0, 0])
      equal([(await outagesOf(liveness)).length, (await alertsOn(driver)).length], [1, 1])
    },
  },
  {
    name: 'a row that is open and a subject that is up are brought in line, and counted as a repair',
    async run({ driver }) {
      const liveness = livenessOn(driver, { repairEvery: 1 })
      await downAt(liveness, 'tv', 5)
      await run(driver, sql`update rowlock_subjects set state = 'up' where id = 'tv'`)
      const { opened, closed, repaired } = await checkAt(liveness, 6)
      equal([opened, closed, repaired], [0, 0, 1])
      equal([(await subjectOf(liveness, 'tv', 6)).state, (await outagesOf(liveness)).length], ['down', 1])
      equal((await checkAt(liveness, 7)).repaired, 0)
    },
  },
  {
    name: 'a subject that is down without a row is brought in line, and counted as a repair',
    async run({ driver }) {
      const liveness = livenessOn(driver, { repairEvery: 1 })
      await alive(liveness, ['tv'])
      await run(driver, sql`update rowlock_subjects set state = 'down' where id = 'tv'`)
      const { opened, closed, repaired, alertsQueued } = await checkAt(liveness, 1)
      equal([opened, closed, repaired, alertsQueued], [0, 0, 1, 0])
      equal((await subjectOf(liveness, 'tv', 1)).state, 'up')
      equal((await checkAt(liveness, 2)).repaired, 0)
      equal((await checkAt(liveness, 6)).opened, 1)
    },
  },
]

/** Lets something happen once, between what a check reads and what it writes. */
function slowed(driver: Driver, meanwhile: () => Promise<unknown>): Driver {
  let happened = false
  const first = async () => {
    if (happened) return
    happened = true
    await meanwhile()
  }
  return {
    ...driver,
    async batch(statements) {
      if (statements.some(({ name }) => name.startsWith('liveness.open'))) await first()
      return await driver.batch(statements)
    },
    async execute(given) {
      if (given.name.startsWith('liveness.open')) await first()
      return await driver.execute(given)
    },
  }
}
