import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
  alertNames,
  alive,
  at,
  checkAt,
  given,
  livenessOn,
  MINUTE,
  outagesOf,
  subjectOf,
  sum,
  tickingOn,
  ticks,
} from './given.ts'

export const outageCases: readonly Case[] = [
  {
    name: 'an outage is one row from the last sign of life to the beat that ends it',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['tv'])
      await given(liveness.register('tv', { label: 'Lobby', now: at(1) }))
      const check = await checkAt(liveness, 7)
      equal([check.opened, check.closed, check.alertsQueued, check.raced], [1, 0, 1, 0])
      const [open] = await outagesOf(liveness)
      const { id, episode, ...fields } = open!
      equal(fields, {
        subject: 'tv',
        label: 'Lobby',
        startedAt: at(0),
        detectedAt: at(7),
        endedAt: null,
        durationMs: null,
        cause: 'silent',
        endReason: null,
        suppressedBy: null,
      })
      const beat = await given(liveness.beat('tv', { now: at(9) }))
      equal(beat, { ok: true, state: 'up', closed: { downtime: id, durationMs: 9 * MINUTE }, skewMs: null })
      const [closed, ...others] = await outagesOf(liveness)
      equal(closed, { ...open!, endedAt: at(9), durationMs: 9 * MINUTE, endReason: 'beat' })
      equal(others, [])
      equal([(await subjectOf(liveness, 'tv', 9)).stateSince, episode.length > 0], [at(9), true])
    },
  },
  {
    name: 'nine checks of one outage are one outage and one alert',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      await alive(liveness, ['tv'])
      const summaries = await ticks(liveness, 5, 13)
      equal(
        summaries.map(({ opened }) => opened),
        [1, 0, 0, 0, 0, 0, 0, 0, 0],
      )
      equal([sum(summaries, 'checked'), sum(summaries, 'alertsQueued')], [1, 1])
      equal([(await outagesOf(liveness)).length, await alertNames(driver)], [1, ['subject.down tv']])
    },
  },
  {
    name: 'two checks at the same instant open one outage between them',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      for (let round = 0; round < 20; round += 1) {
        const start = round * 60
        await alive(liveness, ['tv'], start)
        const both = await Promise.all([checkAt(liveness, start + 5), checkAt(liveness, start + 5)])
        equal([sum(both, 'opened'), sum(both, 'alertsQueued')], [1, 1])
      }
      equal((await outagesOf(liveness)).length, 20)
    },
  },
  {
    name: 'two checks at the same instant on two connections open one outage between them',
    needs: ['peer'],
    async run({ driver, peer }) {
      const [one, other] = [livenessOn(driver), livenessOn(await peer())]
      for (let round = 0; round < 10; round += 1) {
        const start = round * 60
        await alive(one, ['tv'], start)
        const both = await Promise.all([checkAt(one, start + 5), checkAt(other, start + 5)])
        equal([sum(both, 'opened'), sum(both, 'alertsQueued')], [1, 1])
        const beats = [one, other].map((liveness) => given(liveness.beat('tv', { now: at(start + 6) })))
        const closed = (await Promise.all(beats)).filter((beat) => beat.closed !== null)
        equal([closed.length, (await outagesOf(one)).length], [1, round + 1])
      }
    },
  },
  {
    name: 'whatever happens in one and the same millisecond, the order in which it came counts',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['tv'])
      equal((await checkAt(liveness, 5)).opened, 1)
      ok((await given(liveness.beat('tv', { now: at(5) }))).closed !== null, 'back in the same millisecond')
      equal((await checkAt(liveness, 5)).opened, 0)
      ok((await given(liveness.fail('tv', { now: at(5) }))).opened !== null, 'failed in the same millisecond')
      const { closed, state } = await given(liveness.beat('tv', { now: at(5) }))
      equal([closed?.durationMs, state], [0, 'up'])
      equal((await outagesOf(liveness)).map(({ durationMs }) => durationMs).sort(), [0, 5 * MINUTE])
    },
  },
  {
    name: 'a beat at the very edge of the period is no outage, whichever side of the check it comes',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      await alive(liveness, ['tv'])
      for (let minute = 5; minute <= 30; minute += 5) {
        await given(liveness.beat('tv', { now: at(minute) }))
        const { opened, closed } = await given(liveness.check({ now: at(minute) }))
        equal([opened, closed], [0, 0])
        for (const between of [1, 2, 3, 4]) equal((await checkAt(liveness, minute + between)).opened, 0)
      }
      equal([await outagesOf(liveness), await alertNames(driver)], [[], []])
    },
  },
  {
    name: 'a live subject that somebody marked as down is up with its next beat, and none is lost for ever',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['tv'])
      await given(liveness.fail('tv', { reason: 'a node with an old view', now: at(1) }))
      for (const minute of [2, 3]) {
        equal((await given(liveness.beat('tv', { now: at(minute) }))).state, 'up')
        equal((await subjectOf(liveness, 'tv', minute)).deadline, at(minute + 5))
      }
      equal((await checkAt(liveness, 8)).opened, 1)
      equal((await outagesOf(liveness)).length, 2)
    },
  },
  {
    name: 'a clock that steps back opens nothing in that tick, and no outage has a negative length',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      await alive(liveness, ['tv', 'job'])
      await checkAt(liveness, 4)
      await given(liveness.fail('job', { now: at(4) }))
      const back = await given(liveness.beat('job', { now: at(2) }))
      equal([back.state, back.closed?.durationMs ?? 0], ['up', 0])
      await alive(liveness, ['tv'], -60)
      equal((await checkAt(liveness, 3)).opened, 0, 'stepped back')
      for (const { durationMs } of await outagesOf(liveness)) ok((durationMs ?? 0) >= 0, 'negative')
      equal((await checkAt(liveness, 5)).opened, 1)
    },
  },
]
