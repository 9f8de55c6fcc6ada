import { equal, ok } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { alive, at, checkAt, downAt, given, livenessOn, MINUTE, tickingOn, ticks, uptimeOf } from './given.ts'

export const uptimeCases: readonly Case[] = [
  {
    name: 'uptime is the share of the known time in which there was no outage',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 15)
      await given(liveness.beat('tv', { now: at(20) }))
      const whole = await uptimeOf(liveness, 'tv', 10, 50)
      equal([whole.upMs, whole.downMs, whole.unknownMs], [30 * MINUTE, 10 * MINUTE, 0])
      equal([whole.ratio, whole.outages, whole.subject], [0.75, 1, 'tv'])
      const part = await uptimeOf(liveness, 'tv', 15, 25)
      equal([part.ratio, part.outages], [0.5, 1])
      const after = await uptimeOf(liveness, 'tv', 20, 30)
      equal([after.ratio, after.outages], [1, 0])
      const before = await uptimeOf(liveness, 'tv', 10, 20)
      equal([before.ratio, before.outages], [0, 1])
    },
  },
  {
    name: 'known and unknown together are the span, up to now, and no ratio is outside of 0 to 1',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      await alive(liveness, ['tv'], 10)
      await ticks(liveness, 13, 16)
      await given(liveness.beat('tv', { now: at(17) }))
      await given(liveness.fail('tv', { now: at(17) }))
      await given(liveness.beat('tv', { now: at(16) }))
      await given(liveness.pause('tv', { now: at(20) }))
      await given(liveness.resume('tv', { now: at(25) }))
      await checkAt(liveness, 40)
      await given(liveness.fail('tv', { now: at(41) }))
      for (let from = 0; from <= 50; from += 5) {
        for (let to = from; to <= 60; to += 4) {
          const { upMs, downMs, unknownMs, ratio } = await uptimeOf(liveness, 'tv', from, to, 50)
          const length = Math.max(Math.min(to, 50) - from, 0) * MINUTE
          equal(upMs + downMs + unknownMs, length, `from ${from} to ${to}`)
          ok(Math.min(upMs, downMs, unknownMs) >= 0, `from ${from} to ${to}: negative`)
          if (upMs + downMs === 0) equal(ratio, null)
          else equal(ratio, upMs / (upMs + downMs))
        }
      }
    },
  },
  {
    name: 'nothing is known from before the registration, of a pause, and of when nobody watched',
    async run({ driver }) {
      const liveness = tickingOn(driver)
      await alive(liveness, ['tv'], 10)
      await checkAt(liveness, 11)
      await given(liveness.pause('tv', { now: at(12) }))
      equal((await uptimeOf(liveness, 'tv', 0, 15)).unknownMs, 13 * MINUTE, 'while the pause lasts')
      await given(liveness.resume('tv', { now: at(13) }))
      await checkAt(liveness, 31)
      const { upMs, downMs, unknownMs, ratio } = await uptimeOf(liveness, 'tv', 0, 40)
      equal([upMs, downMs, unknownMs, ratio], [10 * MINUTE, 0, 30 * MINUTE, 1])
      equal((await uptimeOf(liveness, 'tv', 0, 10)).ratio, null)
    },
  },
  {
    name: 'an outage that lasts counts up to now',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 15)
      const { downMs, upMs, outages } = await uptimeOf(liveness, 'tv', 10, 1000, 30)
      equal([downMs, upMs, outages], [20 * MINUTE, 0, 1])
    },
  },
]
