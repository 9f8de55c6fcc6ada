import { equal, ok } from '../../assert.ts'
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

export const failureCases: readonly Case[] = [
  {
    name: 'a failure opens an outage at once, the next one adds none, and the next beat ends it',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['job'])
      const failed = await given(liveness.fail('job', { reason: 'exit 1', now: at(1) }))
      equal((await given(liveness.fail('job', { reason: 'exit 2', now: at(2) }))).opened, null)
      equal((await checkAt(liveness, 30)).opened, 0)
      const [outage, ...others] = await outagesOf(liveness)
      equal([outage?.id, outage?.cause, outage?.startedAt, others], [failed.opened, 'failed', at(1), []])
      equal((await given(liveness.beat('job', { now: at(31) }))).closed?.durationMs, 30 * MINUTE)
      equal(await liveness.fail('nobody', { now: at(1) }), { ok: false, reason: 'missing' })
    },
  },
  {
    name: 'a failure while it is silent and down already opens no second outage',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'job', 5)
      equal((await given(liveness.fail('job', { now: at(6) }))).opened, null)
      equal((await outagesOf(liveness)).length, 1)
      equal(await alertNames(driver), ['subject.down job'])
    },
  },
  {
    name: 'a failure that is reported again and again is no sign that it is back',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['silent', 'failing'])
      equal((await checkAt(liveness, 5)).opened, 2)
      await given(liveness.beat('failing', { now: at(6) }))
      await given(liveness.fail('failing', { now: at(6) }))
      for (const minute of [7, 8, 9]) {
        for (const id of ['silent', 'failing']) await given(liveness.fail(id, { now: at(minute) }))
        equal((await checkAt(liveness, minute)).closed, 0)
      }
      for (const id of ['silent', 'failing']) equal((await subjectOf(liveness, id, 9)).state, 'down')
      equal((await given(liveness.beat('failing', { now: at(10) }))).closed?.durationMs, 4 * MINUTE)
    },
  },
  {
    name: 'the first thing heard of a subject may be its failure',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await given(liveness.register('job', { now: at(0) }))
      ok((await given(liveness.fail('job', { now: at(1) }))).opened !== null, 'opened')
      const { state, lastSeen, beats } = await subjectOf(liveness, 'job', 1)
      equal([state, lastSeen, beats], ['down', at(1), 1])
    },
  },
]
