import type { Driver } from '../port/driver.ts'
import type { Claims } from './claims.ts'
import { createContext } from './context.ts'
import type { ClaimsOptions } from './options.ts'
import { orThrow } from './outcome.ts'
import { claimCalls } from './statements/calls.ts'
import { acquire } from './verbs/acquire.ts'
import { acquireMany } from './verbs/acquire-many.ts'
import { complete } from './verbs/complete.ts'
import { inspect } from './verbs/inspect.ts'
import { install } from './verbs/install.ts'
import { list } from './verbs/list.ts'
import { once } from './verbs/once.ts'
import { release } from './verbs/release.ts'
import { renew } from './verbs/renew.ts'
import { run } from './verbs/run.ts'
import { sweep } from './verbs/sweep.ts'
import { wait } from './verbs/wait.ts'

export type * from './call-options.ts'
export type { Claims } from './claims.ts'
export { newHolder } from './input/call.ts'
export { canonicalJson } from './input/canonical.ts'
export { memoryCache, type NearCache, type NearHit } from './near.ts'
export { excluded, increment } from './on-win.ts'
export type { ClaimColumn, ClaimsOptions, OnWin, Suspicion } from './options.ts'
export { claimsSchema } from './schema.ts'
export type { ClaimCalls } from './statements/calls.ts'
export type { Timers } from './timers.ts'
export type * from './types.ts'
export type { Work } from './verbs/run.ts'

/**
 * Claims on a database: exactly one winner per key per window.
 * @throws InvalidInputError for options that do not fit together.
 */
export function createClaims(driver: Driver, options: ClaimsOptions = {}): Claims {
  const context = createContext(driver, options)
  const statements = claimCalls(context)
  return {
    statements,
    install: (given) => install(context, given),
    acquire: (key, given) => acquire(context, key, given),
    acquireOrThrow: async (key, given) => orThrow(await acquire(context, key, given), 'won', key),
    acquireMany: (keys, given) => acquireMany(context, keys, given),
    renew: (claim, given) => renew(context, claim, given),
    renewOrThrow: async (claim, given) => orThrow(await renew(context, claim, given), 'renewed', claim.key),
    complete: (claim, result, given) => complete(context, claim, result, given),
    completeOrThrow: async (claim, result, given) =>
      orThrow(await complete(context, claim, result, given), 'completed', claim.key),
    release: (claim, given) => release(context, claim, given),
    releaseOrThrow: async (claim, given) =>
      void orThrow(await release(context, claim, given), 'released', claim.key),
    guard: statements.guard,
    inspect: (key, given) => inspect(context, key, given),
    list: (given) => list(context, given),
    sweep: (given) => sweep(context, given),
    run: (key, given, work) => run(context, key, given, work),
    runOrThrow: async (key, given, work) => orThrow(await run(context, key, given, work), 'ran', key).value,
    once: (key, given, work) => once(context, key, given, work),
    async onceOrThrow<T>(
      key: string,
      given: Parameters<Claims['once']>[1],
      work: Parameters<typeof once<T>>[3],
    ) {
      const outcome = await once(context, key, given, work)
      // A replayed result is as good as one of our own.
      if (!outcome.ran && outcome.reason === 'done') return outcome.result as T
      return orThrow(outcome, 'ran', key).result
    },
    wait: (key, given) => wait(context, key, given),
    waitOrThrow: async (key, given) => orThrow(await wait(context, key, given), 'won', key),
  }
}
