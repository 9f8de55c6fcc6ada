import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
  alertNames,
  alive,
  at,
  checkAt,
  downAt,
  given,
  livenessOn,
  MINUTE,
  outagesOf,
  subjectOf,
} from './given.ts'

export const beatCases: readonly Case[] = [
  {
    name: 'a subject that was never seen is new: no outage, no alert, however long; its first beat makes it up, and nobody is told that it is back',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      equal(await liveness.register('tv', { now: at(0) }), { ok: true, created: true, rearmed: false })
      const { opened, checked } = await checkAt(liveness, 60 * 24)
      equal([opened, checked], [0, 0])
      const { state, lastSeen, beats, deadline } = await subjectOf(liveness, 'tv', 100)
      equal({ state, lastSeen, beats, deadline }, { state: 'new', lastSeen: null, beats: 0, deadline: null })
      const first = await liveness.beat('tv', { now: at(2000) })
      equal(first, { ok: true, state: 'up', closed: null, skewMs: null })
      const after = await subjectOf(liveness, 'tv', 2000)
      equal([after.state, after.lastSeen, after.beats, after.deadline], ['up', at(2000), 1, at(2005)])
      equal([await outagesOf(liveness), await alertNames(driver)], [[], []])
    },
  },
  {
    name: 'who must appear within a time and does not is down, with a cause of its own',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await given(liveness.register('tv', { mustAppearWithin: '2m', now: at(0) }))
      equal((await given(liveness.check({ now: at(2) - 1 }))).opened, 0)
      equal((await checkAt(liveness, 2)).opened, 1)
      const [outage] = await outagesOf(liveness)
      equal([outage?.cause, outage?.startedAt, outage?.detectedAt], ['never appeared', at(0), at(2)])
      equal((await subjectOf(liveness, 'tv', 2)).state, 'down')
      equal((await given(liveness.beat('tv', { now: at(3) }))).state, 'up')
      equal((await outagesOf(liveness))[0]?.durationMs, 3 * MINUTE)
    },
  },
  {
    name: 'the tie is down: silent for exactly as long as allowed, and not a millisecond less',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['tv'])
      const before = await given(liveness.check({ now: at(5) - 1 }))
      equal([before.checked, before.newlyDown, before.opened], [0, 0, 0])
      const tie = await given(liveness.check({ now: at(5), run: 'tie' }))
      equal([tie.run, tie.checked, tie.newlyDown, tie.opened, tie.verdict], ['tie', 1, 1, 1, 'normal'])
    },
  },
  {
    name: 'duplicate and late beats count, and never move the last sign of life back',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['tv'], 10)
      for (const receivedAt of [at(10), at(4), at(10), at(7)]) {
        equal((await given(liveness.beat('tv', { receivedAt, now: at(11) }))).state, 'up')
      }
      const { lastSeen, beats, deadline } = await subjectOf(liveness, 'tv', 11)
      equal([lastSeen, beats, deadline], [at(10), 5, at(15)])
    },
  },
  {
    name: 'an old beat never ends a later outage, nor does the one that it began with come twice',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 15)
      for (const receivedAt of [at(3), at(10)]) {
        const { state, closed } = await given(liveness.beat('tv', { receivedAt, now: at(16) }))
        equal([state, closed], ['down', null])
      }
      const [many] = (await given(liveness.beatMany([{ id: 'tv', receivedAt: at(9) }], { now: at(16) })))
        .closed
      equal(many, undefined)
      const { state, beats, lastSeen } = await subjectOf(liveness, 'tv', 16)
      equal([state, beats, lastSeen], ['down', 4, at(10)])
      equal(
        (await given(liveness.beat('tv', { receivedAt: at(16), now: at(17) }))).closed?.durationMs,
        6 * MINUTE,
      )
    },
  },
  {
    name: 'a sender’s clock judges nothing: one that is a day ahead or behind is down on time, and its skew is told',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['ahead', 'behind'])
      const day = 24 * 60
      const ahead = await given(liveness.beat('ahead', { sentAt: at(day), now: at(0) }))
      const behind = await given(liveness.beat('behind', { sentAt: at(-day), now: at(0) }))
      equal([ahead.skewMs, behind.skewMs], [day * MINUTE, -day * MINUTE])
      const { lastSeen, sentAt } = await subjectOf(liveness, 'ahead')
      equal([lastSeen, sentAt], [at(0), at(day)])
      equal((await given(liveness.check({ now: at(5) - 1 }))).opened, 0)
      equal((await checkAt(liveness, 5)).opened, 2)
    },
  },
  {
    name: 'a time of receipt in the future is now',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['one', 'many'])
      await given(liveness.beat('one', { receivedAt: at(60), now: at(1) }))
      await given(liveness.beatMany([{ id: 'many', receivedAt: at(60) }], { now: at(1) }))
      for (const id of ['one', 'many']) equal((await subjectOf(liveness, id, 1)).lastSeen, at(1))
    },
  },
]
