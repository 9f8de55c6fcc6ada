import { createClaims } from '../../src/claims/index.ts'
import type { Driver } from '../../src/port/driver.ts'
import { equal, ok } from '../../src/testing/assert.ts'
import type { Check } from '../../src/testing/index.ts'

/** What no case of the suite shows: rarer shapes of a table. */

const run = (driver: Driver, text: string) => driver.execute({ name: 'check', text, values: [] })

export const claimsChecks: readonly Check[] = [
  {
    name: 'a table that has only claimed_at lists what is held to the exact end of its window',
    async run(engine) {
      const { driver, dispose } = await engine.open()
      await run(
        driver,
        'create table event_claims (fingerprint text primary key not null, claimed_at integer) strict',
      )
      const columns = {
        expiresAt: null,
        token: null,
        holder: null,
        state: null,
        result: null,
        fingerprint: null,
      }
      const events = createClaims(driver, { table: 'event_claims', key: 'fingerprint', columns, ttl: 100 })
      for (const key of ['a', 'b']) await events.acquire(key, { now: 1000 })
      const keys = async (state: 'held' | 'free', now: number, after?: string) =>
        (await events.list({ now, state, ...(after && { after }) })).claims.map(({ key }) => key)
      equal([await keys('held', 1100), await keys('free', 1100)], [['a', 'b'], []])
      equal([await keys('held', 1101), await keys('free', 1101)], [[], ['a', 'b']])
      equal(await keys('free', 1101, 'a'), ['b'])
      await dispose()
    },
  },
  {
    name: 'rows that were there before are held by the database’s clock, and claims as they are',
    async run(engine) {
      const { driver, dispose } = await engine.open()
      await run(
        driver,
        'create table event_claims (fingerprint text primary key not null, claimed_at integer, expires_at integer, token integer) strict',
      )
      await run(driver, `insert into event_claims values ('new', 900, 2000, 900), ('old', null, null, null)`)
      const columns = { state: null, result: null, fingerprint: null }
      const events = createClaims(driver, { table: 'event_claims', key: 'fingerprint', columns, ttl: 100 })
      const before = Date.now()
      await events.install({ existing: 'held' })
      const after = Date.now()
      equal((await events.inspect('new', { now: 1000 }))?.expiresAt, 2000)
      const { expiresAt } = (await events.inspect('old', { now: 1000 }))!
      // Both clocks are this machine's; they may be rounded in different ways.
      ok(expiresAt! >= before + 99 && expiresAt! <= after + 101, `held until ${expiresAt}`)
      await dispose()
    },
  },
]
