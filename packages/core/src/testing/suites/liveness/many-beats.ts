import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
  at,
  beatAll,
  checkAt,
  fleetOf,
  given,
  livenessOn,
  MINUTE,
  names,
  outagesOf,
  subjectOf,
} from './given.ts'

export const manyBeatCases: readonly Case[] = [
  {
    name: 'beats by the thousand are counted one by one; unknown ids are named, and one id twice counts twice',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      const ids = names(1200)
      await fleetOf(liveness, ids)
      const beats = [...ids, 'nobody', ids[0]!].map((id) => ({ id }))
      const answer = await given(liveness.beatMany(beats, { now: at(1) }))
      equal([new Set(answer.counted).size, answer.closed, answer.missing], [1200, [], ['nobody']])
      const first = await subjectOf(liveness, ids[0]!, 1)
      const second = await subjectOf(liveness, ids[1]!, 1)
      equal([first.beats, second.beats, first.lastSeen, second.lastSeen], [3, 2, at(1), at(1)])
      equal(await given(liveness.beatMany([], { now: at(1) })), {
        ok: true,
        counted: [],
        closed: [],
        missing: [],
      })
    },
  },
  {
    name: 'many beats end the outages of those that were down, and tell which',
    async run({ driver }) {
      const liveness = livenessOn(driver, { mass: { share: 1, least: 1000, holdTicks: 0 } })
      const ids = names(6)
      await fleetOf(liveness, ids)
      await beatAll(liveness, ids.slice(3), 4)
      equal((await checkAt(liveness, 5)).opened, 3)
      const { closed, counted } = await given(
        liveness.beatMany(
          ids.map((id) => ({ id })),
          { now: at(6) },
        ),
      )
      equal([...counted].sort(), ids)
      equal(
        closed.map(({ subject, durationMs }) => [subject, durationMs]).sort(),
        ids.slice(0, 3).map((id) => [id, 6 * MINUTE]),
      )
      const outages = await outagesOf(liveness)
      equal(closed.map(({ downtime }) => downtime).sort(), outages.map(({ id }) => id).sort())
      equal((await liveness.status({ state: 'up', now: at(6) })).subjects.length, 6)
    },
  },
  {
    name: 'a beat registers who is not there, once, with what is expected of it',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      equal(await liveness.beat('tv', { now: at(0) }), { ok: false, reason: 'missing' })
      const expected = { label: 'Lobby', downAfter: '2m', tags: ['lobby'] }
      equal((await given(liveness.beat('tv', { register: expected, now: at(0) }))).state, 'up')
      await given(liveness.beat('tv', { register: { label: 'Other', downAfter: '9m' }, now: at(1) }))
      const { label, downAfterMs, tags, beats, deadline } = await subjectOf(liveness, 'tv', 1)
      equal([label, downAfterMs, tags, beats, deadline], ['Lobby', 2 * MINUTE, ['lobby'], 2, at(3)])
    },
  },
  {
    name: 'for schedules the next beat is due when the last one said, and silence begins there',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await given(liveness.register('backup', { downAfter: '30m', now: at(0) }))
      await given(liveness.beat('backup', { nextDueAt: at(1440), now: at(0) }))
      equal((await subjectOf(liveness, 'backup', 1)).deadline, at(1470))
      equal((await given(liveness.check({ now: at(1470) - 1 }))).opened, 0)
      equal((await checkAt(liveness, 1470)).opened, 1)
      equal((await outagesOf(liveness))[0]?.startedAt, at(1440))
      await given(liveness.beat('backup', { now: at(1500) }))
      equal((await subjectOf(liveness, 'backup', 1500)).deadline, at(1530), 'back to plain silence')
    },
  },
]
