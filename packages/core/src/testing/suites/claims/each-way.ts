import type { Driver } from '../../../port/driver.ts'
import { sql } from '../../../port/sql.ts'
import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { query } from './given.ts'
import { put, read, type Way, ways } from './ways.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The same cases for every way to claim: where the claim lives, and by which statement. */
export const eachWayCases: readonly Case[] = ways.flatMap((way) => [
  {
    name: `${way.name}: what is free is taken over whole, what is held is left alone, to the exact end`,
    run: ({ driver }) => takesOver(driver, way),
  },
  {
    name: `${way.name}: the window is judged by the database's clock`,
    run: ({ driver }) => usesItsClock(driver, way),
  },
])

async function takesOver(driver: Driver, way: Way): Promise<void> {
  await way.prepare(driver)
  const old = { holder: 'zoe', token: 5000 }
  await put(driver, way, 'released', { expires_at: 9000, ...old })
  await put(driver, way, 'endless', { claimed_at: 800, ...old })
  await put(driver, way, 'over', { claimed_at: 899, expires_at: 999, ...old })
  await put(driver, way, 'edge', { claimed_at: 900, expires_at: 1000, ...old })
  const by = { holder: 'anna', ttl: 100, now: 1000 }
  if (way.key === 'key') {
    // What the former holder left must go with it.
    await query(driver, sql`update rowlock_claims set state = 'done', result = '7', fingerprint = 'x'`)
  }
  const lease = way.timed ? ['claimed_at', 'expires_at', 'token', 'holder'] : ['claimed_at']
  const columns = way.key === 'key' ? [...lease, 'state', 'result', 'fingerprint'] : lease
  const taken = way.timed ? [1000, 1100, 5001, 'anna'] : [1000]
  if (way.key === 'key') taken.push('held', null as never, null as never)
  for (const key of ['released', 'endless', 'over']) {
    equal(await way.claim(driver, key, by), 'won', key)
    equal(await read(driver, way, key, columns), taken, key)
    equal(await way.claim(driver, key, { ...by, holder: 'ben', now: 1100 }), 'held', key)
  }
  ok((await way.claim(driver, 'edge', by)) !== 'won')
  equal(await read(driver, way, 'edge', lease), way.timed ? [900, 1000, 5000, 'zoe'] : [900])
  equal(await way.claim(driver, 'edge', { ...by, now: 1001 }), 'won')

  equal(await way.claim(driver, 'over', { holder: 'ben', ttl: 100, now: 6000 }), 'won')
  equal(await read(driver, way, 'over', lease), way.timed ? [6000, 6100, 6001, 'ben'] : [6000])
  if (way.table === 'event_claims' && !way.name.endsWith('claimExisting')) {
    equal(await read(driver, way, 'over', ['last_seen', 'count']), [7, 3])
    equal(await read(driver, way, 'edge', ['last_seen', 'count']), [7, 2])
  }
}

async function usesItsClock(driver: Driver, way: Way): Promise<void> {
  await way.prepare(driver)
  const clock = async () => Number((await query(driver, sql`select ${driver.dialect.clock} as at`))[0]!.at)
  const at = await clock()
  await put(driver, way, 'held', { claimed_at: at - MINUTE / 2, expires_at: at + HOUR / 2, holder: 'zoe' })
  await put(driver, way, 'over', { claimed_at: at - 2 * HOUR, expires_at: at - HOUR / 2, holder: 'zoe' })
  const ttl = way.timed ? HOUR : HOUR / 2
  equal(await way.claim(driver, 'held', { holder: 'anna', ttl }), 'held')
  equal(await way.claim(driver, 'over', { holder: 'anna', ttl }), 'won')
  const [claimedAt] = await read(driver, way, 'over', ['claimed_at'])
  const after = await clock()
  ok(at <= Number(claimedAt) && Number(claimedAt) <= after, `${claimedAt} is not between ${at} and ${after}`)
  const claims = way.claims(driver)
  const views = await Promise.all(['held', 'over'].map((key) => claims.inspect(key, { ttl })))
  equal(
    views.map((view) => view?.state),
    ['held', 'held'],
  )
  const lost = await claims.acquire('held', { ttl, values: way.key === 'key' ? undefined : { last_seen: 1 } })
  const left = !lost.won && lost.reason !== 'unknown' ? lost.retryAfterMs : 0
  ok(left > HOUR / 2 - 5 * MINUTE && left <= HOUR / 2 + 1, `${left} ms are left`)
}
