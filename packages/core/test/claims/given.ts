import { DatabaseSync } from 'node:sqlite'
import { type Claims, type ClaimsOptions, createClaims, type Timers } from '../../src/claims/index.ts'
import { sqlite } from '../../src/drivers/sqlite.ts'
import { UnavailableError } from '../../src/errors.ts'
import type { Driver, Statement } from '../../src/port/driver.ts'

/** A database in memory with Rowlock's own table. */
export async function freshDriver(): Promise<Driver> {
  const driver = sqlite(new DatabaseSync(':memory:'))
  await createClaims(driver).install()
  return driver
}

export async function freshClaims(options: ClaimsOptions = {}): Promise<Claims> {
  return createClaims(await freshDriver(), { ttl: 100, lookFirst: false, ...options })
}

/** How a call to the database goes wrong: its answer is lost after it was applied, or it never got there. */
export type Mishap = 'answer lost' | 'never sent'

/** A driver whose nth call of a statement (counted from 1) goes wrong. It notes what was sent. */
export function unreliable(
  driver: Driver,
  mishaps: Readonly<Record<string, Readonly<Record<number, Mishap>>>>,
): { readonly driver: Driver; readonly sent: string[] } {
  const sent: string[] = []
  const meet = async <Rows>(statements: readonly Statement[], work: () => Promise<Rows>): Promise<Rows> => {
    const name = statements[0]!.name
    sent.push(statements.map((statement) => statement.name).join('+'))
    const times = sent.filter((each) => each.split('+')[0] === name).length
    const mishap = mishaps[name]?.[times]
    if (mishap === 'never sent') throw new UnavailableError('the database could not be reached', 'no')
    const rows = await work()
    if (mishap === 'answer lost') throw new UnavailableError('connection lost', 'unknown')
    return rows
  }
  return {
    sent,
    driver: {
      ...driver,
      execute: (statement) => meet([statement], () => driver.execute(statement)),
      batch: (statements) => meet(statements, () => driver.batch(statements)),
    },
  }
}

/** Time that passes only when somebody sleeps. Every sleep is noted; `during` happens in the middle of it. */
export function fakeTimers(options: { random?: number; during?: (elapsed: number) => unknown } = {}) {
  let now = 0
  const slept: number[] = []
  const sleepers: { readonly until: number; wake(): void }[] = []
  const timers: Timers = {
    elapsed: () => now,
    random: () => options.random ?? 0,
    sleep(ms, signal) {
      if (signal?.aborted) return Promise.resolve()
      slept.push(ms)
      return new Promise((resolve) => {
        sleepers.push({ until: now + ms, wake: resolve })
        signal?.addEventListener('abort', () => resolve())
      })
    },
  }
  return {
    timers,
    slept,
    /** Lets time pass, waking sleepers in order, until somebody is at work outside. */
    async pass(ms: number): Promise<void> {
      const end = now + ms
      for (;;) {
        await settled()
        const next = sleepers.sort((one, two) => one.until - two.until)[0]
        if (next === undefined || next.until > end) break
        sleepers.shift()
        now = Math.max(now, next.until)
        await options.during?.(now)
        next.wake()
      }
      now = end
    },
  }
}

/** Everything that can go on without time passing has gone on. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
}
