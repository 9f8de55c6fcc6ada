import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
  alertNames,
  alertsOn,
  alive,
  at,
  beatAll,
  checkAt,
  downAt,
  fleetOf,
  given,
  MINUTE,
  names,
  outagesOf,
  sum,
  tickingOn,
  ticks,
  uptimeOf,
} from './given.ts'

export const wakingCases: readonly Case[] = [
  {
    name: 'a checker that slept for an hour opens nothing when it wakes, and whoever beat meanwhile has no outage',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      const ids = names(500)
      await fleetOf(liveness, ids)
      await ticks(liveness, 1, 3)
      await beatAll(liveness, ids.slice(0, 250), 59)
      await beatAll(liveness, ids.slice(250), 50)
      const woke = await checkAt(liveness, 63)
      equal([woke.verdict, woke.opened, woke.newlyDown, woke.alertsQueued], ['catchUp', 0, 0, 0])
      await beatAll(liveness, ids, 64)
      const summaries = await ticks(liveness, 64, 68)
      equal([sum(summaries, 'opened'), summaries.every(({ verdict }) => verdict === 'normal')], [0, true])
      const { upMs, unknownMs, downMs } = await uptimeOf(liveness, ids[0]!, 0, 68)
      equal([upMs, unknownMs, downMs], [8 * MINUTE, 60 * MINUTE, 0], 'one blind interval')
      equal([await outagesOf(liveness), await alertNames(driver)], [[], []])
    },
  },
  {
    name: 'two checkers that wake at once record one blind time and open nothing',
    needs: ['peer'],
    async run({ driver, peer }) {
      const [one, other] = [tickingOn(driver), tickingOn(await peer())]
      const ids = names(20)
      await fleetOf(one, ids)
      await checkAt(one, 3)
      const woke = await Promise.all([
        checkAt(one, 63),
        checkAt(other, 63),
        checkAt(one, 63),
        checkAt(other, 63),
      ])
      equal(sum(woke, 'opened'), 0)
      equal((await uptimeOf(one, ids[0]!, 0, 63)).unknownMs, 60 * MINUTE)
      ok(woke.filter(({ verdict }) => verdict === 'catchUp').length >= 1, 'one woke')
      equal([await outagesOf(one), await alertNames(driver)], [[], []])
    },
  },
  {
    name: 'a gap of three ticks is no sleep, and a millisecond more is',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      await alive(liveness, ['tv'])
      await checkAt(liveness, 2)
      const slept = await given(liveness.check({ now: at(5) + 1 }))
      equal([slept.verdict, slept.opened], ['catchUp', 0])
      const { verdict } = await given(liveness.check({ now: at(8) + 1 }))
      equal(verdict, 'normal')
      equal((await given(liveness.check({ now: at(10) }))).opened, 0)
      equal((await given(liveness.check({ now: at(10) + 1 }))).opened, 1, 'the threshold after waking')
      equal((await outagesOf(liveness))[0]?.startedAt, at(5) + 1)
    },
  },
  {
    name: 'whoever came back while the checker slept is not announced as down',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      await downAt(liveness, 'tv', 5)
      const beat = await given(liveness.beat('tv', { now: at(30) }))
      equal(beat.closed?.durationMs, 30 * MINUTE)
      const woke = await checkAt(liveness, 60)
      equal([woke.verdict, woke.opened, woke.closed], ['catchUp', 0, 0])
      equal((await outagesOf(liveness)).length, 1)
    },
  },
  {
    name: 'everything silent at once is held for two ticks; then a row for each and one alert for all',
    async run({ driver }) {
      const liveness = tickingOn(driver, { announceTo: ['ops', 'chat'] })
      const ids = names(50)
      await fleetOf(liveness, ids)
      const [first, second, third, fourth] = await ticks(liveness, 5, 8)
      equal([first!.verdict, first!.opened, first!.alertsQueued, first!.raced], ['massSuspect', 0, 0, 0])
      equal([second!.verdict, second!.opened, second!.alertsQueued], ['massSuspect', 0, 0])
      equal([third!.verdict, third!.opened, third!.alertsQueued], ['massSuspect', 50, 2])
      equal([fourth!.opened, fourth!.alertsQueued], [0, 0])
      const alerts = await alertsOn(driver)
      equal(alerts.map(({ topic, destination }) => [topic, destination]).sort(), [
        ['fleet.down', 'chat'],
        ['fleet.down', 'ops'],
      ])
      const { mass } = JSON.parse(alerts[0]!.payload) as { mass: { count: number; subjects: string[] } }
      equal([mass.count, mass.subjects.length], [50, 20])
      equal([...new Set((await outagesOf(liveness)).map(({ suppressedBy }) => suppressedBy))], ['mass'])
    },
  },
  {
    name: 'who comes back while a mass outage is held has no outage; the others are announced one by one',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      const ids = names(6)
      await fleetOf(liveness, ids)
      equal((await checkAt(liveness, 5)).verdict, 'massSuspect')
      await beatAll(liveness, ids.slice(2), 5)
      const next = await checkAt(liveness, 6)
      equal([next.verdict, next.opened, next.alertsQueued], ['normal', 2, 2])
      equal((await outagesOf(liveness)).length, 2)
    },
  },
  {
    name: 'fewer than five, or fewer than half, are no mass outage',
    async run({ driver }) {
      const few = tickingOn(driver, { scope: 'few' })
      await fleetOf(few, names(4))
      equal((await checkAt(few, 5)).opened, 4)
      const many = tickingOn(driver, { scope: 'many' })
      await fleetOf(many, names(11))
      await beatAll(many, names(11).slice(5), 1)
      const { opened, verdict } = await checkAt(many, 5)
      equal([opened, verdict], [5, 'normal'])
      const half = tickingOn(driver, { scope: 'half' })
      await fleetOf(half, names(10))
      await beatAll(half, names(10).slice(5), 1)
      equal((await checkAt(half, 5)).verdict, 'massSuspect')
    },
  },
  {
    name: 'all silent while the checker slept: first it looks again, then one alert for all',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      const ids = names(500)
      await fleetOf(liveness, ids)
      await checkAt(liveness, 3)
      const summaries = await ticks(liveness, 63, 72)
      equal(summaries[0]!.verdict, 'catchUp')
      equal(
        summaries.map(({ opened }) => opened),
        [0, 0, 0, 0, 0, 0, 0, 500, 0, 0],
      )
      equal(await alertNames(driver), ['fleet.down'])
    },
  },
]
