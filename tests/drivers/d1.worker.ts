import { type Driver, GuardError, probe } from '@rowlock/core'
import { createClaims } from '@rowlock/core/claims'
import { type D1Database, d1 } from '@rowlock/core/d1'
import { drizzle } from '@rowlock/core/drizzle'
import { kysely } from '@rowlock/core/kysely'
import { createLiveness } from '@rowlock/core/liveness'
import { drizzle as overD1 } from 'drizzle-orm/d1'
import { Kysely } from 'kysely'
import { D1Dialect } from 'kysely-d1'

const say = (
  text: string,
  values: readonly (string | number | Uint8Array)[] = [],
  expect?: number | 'some',
) => ({
  name: 'test.it',
  text,
  values,
  ...(expect !== undefined && { expect }),
})

/** What only the real D1 can show; each answers with what it saw. */
const looks: Readonly<Record<string, (binding: D1Database) => Promise<unknown>>> = {
  '/probe': async (binding) => (await probe(d1(binding))).findings.filter(({ holds }) => !holds),

  /** Rows that triggers write are none of the statement's, before or behind it. */
  '/triggers': async (binding) => {
    const driver = d1(binding)
    for (const text of [
      'create table t (key text primary key not null, amount integer) strict',
      'create table log (line text) strict',
      `create trigger t_log after insert on t begin
        insert into log values ('one'); insert into log values ('two'); update log set line = 'three'; end`,
    ]) {
      await driver.execute(say(text))
    }
    const put = (key: string, expect: number | 'some') =>
      say('insert into t (key) values (?) on conflict do nothing returning key', [key], expect)
    const done = await driver.batch([
      put('a', 1),
      put('b', 1),
      say('update t set amount = 1 returning key', [], 2),
    ])
    const failed = await driver.batch([put('c', 1), put('a', 'some')]).catch((error) => error)
    const [row] = await driver.execute(say('select count(*) as n from t'))
    return {
      rows: done.map((rows) => rows.length),
      failed: failed instanceof GuardError && { index: failed.index, actual: failed.actual },
      kept: row?.n,
    }
  },

  '/blobs': async (binding) => {
    const [row] = await d1(binding).execute(say('select ? as bytes', [new Uint8Array([9, 1, 2]).subarray(1)]))
    const bytes = row!.bytes as Uint8Array
    return [bytes instanceof Uint8Array, ...bytes]
  },

  '/drizzle': (binding) => through(drizzle(overD1(binding as never)), 'drizzle'),

  '/kysely': (binding) => {
    const db = new Kysely({ dialect: new D1Dialect({ database: binding as never }) })
    return through(kysely(db, { dialect: 'd1' }), 'kysely')
  },
}

/** A window is won once, two checks of one dead subject open one outage. */
async function through(driver: Driver, scope: string): Promise<unknown> {
  const claims = createClaims(driver, { ttl: '1m' })
  const liveness = createLiveness(driver, { scope, downAfter: 100, announceTo: ['ops'] })
  await claims.install()
  await liveness.install()
  const won = [await claims.acquire(scope), await claims.acquire(scope)].map((claim) => claim.won)
  await liveness.beat('tv', { register: {}, now: 1000 })
  const checks = await Promise.all([liveness.check({ now: 1100 }), liveness.check({ now: 1100 })])
  const opened = checks.reduce((sum, checked) => sum + (checked.ok ? checked.opened : 0), 0)
  const { downtimes } = await liveness.downtimes()
  return { atomic: driver.atomicBatch, won, opened, outages: downtimes.length }
}

export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    return Response.json(await looks[new URL(request.url).pathname]!(env.DB))
  },
}
