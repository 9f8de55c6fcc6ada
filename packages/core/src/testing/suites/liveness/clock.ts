import type { Driver } from '../../../port/driver.ts'
import { sql, statement } from '../../../port/sql.ts'
import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { alertsOn, given, livenessOn, outagesOf } from './given.ts'

const HOUR_MS = 3_600_000

/** The database's clock. */
async function clock({ dialect, execute }: Driver): Promise<number> {
  const [row] = await execute(statement(dialect, sql`select ${dialect.clock} as now`, { name: 'clock' }))
  return Number(row!.now)
}

/** Runs `work`, and checks that what it gives are instants of the database's clock meanwhile. */
async function meanwhile(
  driver: Driver,
  what: string,
  work: () => Promise<readonly (number | null)[]>,
): Promise<void> {
  const before = await clock(driver)
  const instants = await work()
  const after = await clock(driver)
  for (const instant of instants) {
    ok(
      instant !== null && instant >= before && instant <= after,
      `${what}: ${instant} is not from ${before} to ${after}`,
    )
  }
}

export const clockCases: readonly Case[] = [
  {
    name: 'without now, every instant is the database’s own',
    async run({ driver }) {
      const liveness = livenessOn(driver, { downAfter: HOUR_MS })
      const subject = async (id: string) => (await liveness.status({ ids: [id] })).subjects[0]!
      await meanwhile(driver, 'registered', async () => {
        await given(liveness.register('tv', { mustAppearWithin: HOUR_MS }))
        const { stateSince, deadline } = await subject('tv')
        return [stateSince, deadline! - HOUR_MS]
      })
      await meanwhile(driver, 'beat', async () => {
        await given(liveness.beat('tv'))
        const { lastSeen, deadline, stateSince } = await subject('tv')
        return [lastSeen, deadline! - HOUR_MS, stateSince]
      })
      await meanwhile(driver, 'beat, among many', async () => {
        await given(liveness.beatMany([{ id: 'tv' }]))
        const { lastSeen, deadline } = await subject('tv')
        return [lastSeen, deadline! - HOUR_MS]
      })
      await meanwhile(driver, 'failed', async () => {
        await given(liveness.fail('tv'))
        const [{ startedAt, detectedAt } = { startedAt: 0, detectedAt: 0 }] = await outagesOf(liveness)
        return [
          startedAt,
          detectedAt,
          (await subject('tv')).stateSince,
          (await alertsOn(driver))[0]!.createdAt,
        ]
      })
      await meanwhile(driver, 'back', async () => {
        await given(liveness.beat('tv'))
        return [(await outagesOf(liveness))[0]!.endedAt, (await subject('tv')).stateSince]
      })
      await meanwhile(driver, 'paused', async () => {
        await given(liveness.pause('tv'))
        return [(await subject('tv')).stateSince]
      })
      await meanwhile(driver, 'resumed', async () => {
        await given(liveness.resume('tv'))
        const { stateSince, deadline } = await subject('tv')
        return [stateSince, deadline! - HOUR_MS]
      })
      await given(liveness.fail('tv'))
      await meanwhile(driver, 'removed', async () => {
        await given(liveness.remove('tv'))
        return [(await outagesOf(liveness))[1]!.endedAt]
      })
    },
  },
  {
    name: 'without now, the database’s clock decides who is silent, late and up',
    async run({ driver }) {
      const liveness = livenessOn(driver, { downAfter: HOUR_MS, lateAfter: HOUR_MS / 2 })
      const now = await clock(driver)
      for (const [id, silent] of [
        ['dead', 1.01],
        ['late', 0.75],
        ['alive', 0.25],
      ] as const) {
        await given(liveness.beat(id, { register: {}, now: now - Math.floor(silent * HOUR_MS) }))
      }
      equal(
        (await liveness.status({ state: 'late' })).subjects.map(({ id }) => id),
        ['dead', 'late'],
      )
      equal((await given(liveness.check())).opened, 1)
      await meanwhile(driver, 'detected', async () => {
        await given(liveness.fail('alive'))
        return [(await outagesOf(liveness, 'alive'))[0]!.detectedAt]
      })
      const span = { from: now - HOUR_MS, to: now + HOUR_MS }
      const { upMs, downMs, unknownMs } = (await liveness.uptime('dead', span))!
      ok(upMs === 0 && downMs >= HOUR_MS && downMs < 2 * HOUR_MS && unknownMs === 0, 'up to now')
    },
  },
]
