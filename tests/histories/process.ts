// One of several processes that claim the same few keys; claims.test.ts starts it. Its arguments: where
// the data are (a file, or the address of a PostgreSQL), a seed, and how many acquisitions to try.
import { createClaims } from '@rowlock/core/claims'
import { postgres } from '@rowlock/core/postgres'
import { sqlite } from '@rowlock/core/sqlite'
import { type ClaimCall, createHistoryLog, seededRandom } from '@rowlock/core/testing'
import pg from 'pg'
import { nodeSqlite, openFile } from '../conformance/sqlite-engines.ts'

const [place, seed, attempts] = process.argv.slice(2) as [string, string, string]
const random = seededRandom(Number(seed))
const pool = place.startsWith('postgres:') ? new pg.Pool({ connectionString: place, max: 1 }) : undefined
const driver = pool ? postgres(pool) : sqlite(openFile(nodeSqlite, place), { waitAtMost: '60s' })

/** Short, so that many windows run out while the others are at work. */
const TTL = 15
const claims = createClaims(driver, { ttl: TTL, lookFirst: false })
const log = createHistoryLog<ClaimCall>()

interface Held {
  readonly key: string
  readonly holder: string
  readonly token: number
}

async function acquire(key: string, holder: string): Promise<Held | undefined> {
  const outcome = await log.record(
    () => claims.acquire(key, { holder }),
    (answer) => {
      const call = { verb: 'acquire', key, holder } as const
      if (answer.status === 'rejected') return { ...call, outcome: 'unknown' }
      const { value } = answer
      if (!value.won) return { ...call, outcome: value.reason === 'unknown' ? 'unknown' : 'refused' }
      return { ...call, outcome: 'done', token: value.token!, expiresAt: value.expiresAt }
    },
  )
  return outcome.won ? { key, holder, token: outcome.token! } : undefined
}

async function renew(held: Held): Promise<void> {
  await log.record(
    () => claims.renew(held),
    (answer) => {
      const call = { verb: 'renew', ...held } as const
      if (answer.status === 'rejected') return { ...call, outcome: 'unknown' }
      const { value } = answer
      if (!value.renewed) return { ...call, outcome: value.reason === 'unknown' ? 'unknown' : 'refused' }
      return { ...call, outcome: 'done', expiresAt: value.expiresAt }
    },
  )
}

async function release(held: Held): Promise<void> {
  await log.record(
    () => claims.release(held),
    (answer) => {
      const call = { verb: 'release', ...held } as const
      if (answer.status === 'rejected') return { ...call, outcome: 'unknown' }
      return { ...call, outcome: answer.value.released ? 'done' : 'refused' }
    },
  )
}

async function guardedWrite(held: Held): Promise<void> {
  const write = {
    name: 'work',
    text: `insert into work (key, token) values (${driver.dialect.placeholder(1)}, ${driver.dialect.placeholder(2)}) returning token`,
    values: [held.key, held.token],
    expect: 1,
  }
  await log
    .record(
      () => driver.batch([claims.guard(held), write]),
      (answer) => ({
        verb: 'guarded',
        ...held,
        outcome:
          answer.status === 'fulfilled'
            ? 'done'
            : answer.reason.code === 'GUARD_FAILED'
              ? 'refused'
              : 'unknown',
      }),
    )
    .catch((error) => {
      if (error.code !== 'GUARD_FAILED') throw error
    })
}

/** Claims that this process once had; it goes on using them as if nothing had happened. */
const once: Held[] = []

for (let attempt = 0; attempt < Number(attempts); attempt++) {
  const held = await acquire(`key ${Math.floor(random() * 3)}`, `${seed}-${attempt}`)
  if (held !== undefined) once.push(held)
  const old = once[Math.floor(random() * once.length)]
  if (old === undefined) continue
  const dice = random()
  if (dice < 0.3) await guardedWrite(old)
  else if (dice < 0.5) await renew(old)
  else if (dice < 0.6) await release(old)
}

process.send!(log.calls, () => {
  void pool?.end()
  process.disconnect()
})
