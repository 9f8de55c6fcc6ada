import { type Claims, createClaims, type Timers } from '../../src/claims/index.ts'
import { GuardError } from '../../src/errors.ts'
import { createOutbox } from '../../src/outbox/index.ts'
import type { Driver } from '../../src/port/driver.ts'
import type { Kind, Verb } from './verbs.ts'
import { HELD, message, OPTIONS } from './world.ts'

const ttl = 50

/** Time that passes only when it is asked for. */
function timers(): Timers {
  let elapsed = 0
  return { elapsed: () => (elapsed += 2), random: () => 0, sleep: async () => {} }
}

/** Nobody renews in the background: what is done under the claim takes no time. */
const still: Timers = { elapsed: () => 0, random: () => 0, sleep: () => new Promise(() => {}) }

type Call = { readonly now: number; readonly holder: string }
const verb = (
  name: string,
  kind: Kind,
  run: (claims: Claims, call: Call, driver: Driver) => Promise<unknown>,
  clock: () => Timers = () => still,
): Verb => ({
  name,
  kind,
  run: (driver, call) => run(createClaims(driver, { timers: clock() }), call, driver),
})

export const claimsVerbs: readonly Verb[] = [
  verb('acquire', 'acquire', (claims, call) => claims.acquire('k', { ttl, ...call })),
  verb('acquire a new key', 'acquire', (claims, call) => claims.acquire('new', { ttl, ...call })),
  verb('acquireMany', 'acquire', (claims, call) => claims.acquireMany(['k', 'old', 'new'], { ttl, ...call })),
  verb('acquire with a companion', 'acquire', (claims, call, driver) => {
    const also = [createOutbox(driver, OPTIONS).statements.enqueue(message(`won by ${call.holder}`), call)]
    return claims.acquire('k', { ttl, ...call, also })
  }),
  verb('run', 'use', (claims, call) => claims.run('k', { ttl, ...call }, async () => 'ran')),
  verb('once', 'use', (claims, call) => claims.once('k', { ttl, payload: 1, ...call }, async () => 'done')),
  verb('wait', 'acquire', (claims, call) => claims.wait('k', { ttl, timeout: 8, ...call }), timers),
  verb('renew', 'renew', (claims, { now }) => claims.renew(HELD, { ttl, now })),
  verb('complete', 'complete', (claims, { now }) => claims.complete(HELD, 'result', { now })),
  verb('release', 'release', (claims, { now }) => claims.release(HELD, { now })),
  verb('guarded batch', 'guarded', async (claims, { now, holder }, driver) => {
    const write = createOutbox(driver, OPTIONS).statements.enqueue(message(`guarded by ${holder}`), { now })
    try {
      const [, rows] = await driver.batch([claims.guard(HELD, { now }), write])
      return { guarded: true, rows: rows!.length }
    } catch (error) {
      if (error instanceof GuardError) return { guarded: false }
      throw error
    }
  }),
  verb('inspect', 'look', (claims, { now }) => claims.inspect('k', { now })),
  verb('list claims', 'look', (claims, { now }) => claims.list({ now })),
  verb('sweep claims', 'claims-sweep', (claims, { now }) => claims.sweep({ olderThan: 60, now })),
]
