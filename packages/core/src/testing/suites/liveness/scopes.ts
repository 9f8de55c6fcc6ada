import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
  alertNames,
  alertsOn,
  alive,
  at,
  checkAt,
  downAt,
  fleetOf,
  given,
  livenessOn,
  names,
  outagesOf,
  subjectOf,
  sum,
  tickingOn,
} from './given.ts'

export const scopeCases: readonly Case[] = [
  {
    name: 'the same id in two scopes is two subjects, two outages, two alerts',
    async run({ driver }) {
      const [one, other] = [livenessOn(driver, { scope: 'one' }), livenessOn(driver, { scope: 'other' })]
      await alive(one, ['tv'])
      await given(other.register('tv', { label: 'Other', now: at(0) }))
      await given(other.beat('tv', { now: at(1) }))
      equal([(await subjectOf(one, 'tv')).label, (await subjectOf(other, 'tv')).label], [null, 'Other'])
      const first = await checkAt(one, 5)
      equal([first.checked, first.opened, first.alertsQueued], [1, 1, 1])
      equal([(await outagesOf(one)).length, (await outagesOf(other)).length], [1, 0])
      equal([(await subjectOf(one, 'tv')).state, (await subjectOf(other, 'tv')).state], ['down', 'up'])
      const second = await checkAt(other, 6)
      equal([second.checked, second.opened, second.alertsQueued], [1, 1, 1])
      equal(
        (await alertsOn(driver)).map(({ orderingKey }) => orderingKey),
        ['one:tv:ops', 'other:tv:ops'],
      )
      await given(one.beat('tv', { now: at(7) }))
      equal([(await outagesOf(one))[0]?.endedAt, (await outagesOf(other))[0]?.endedAt], [at(7), null])
    },
  },
  {
    name: 'no verb of one scope touches another',
    async run({ driver }) {
      const [own, other] = [livenessOn(driver, { scope: 'own' }), livenessOn(driver, { scope: 'other' })]
      await downAt(other, 'tv', 5)
      const missing = { ok: false, reason: 'missing' }
      for (const verb of ['beat', 'fail', 'pause', 'resume', 'remove'] as const) {
        equal(await own[verb]('tv', { now: at(6) }), missing, verb)
      }
      equal((await given(own.beatMany([{ id: 'tv' }], { now: at(6) }))).missing, ['tv'])
      const { opened, checked } = await checkAt(own, 60)
      equal([opened, checked], [0, 0])
      equal([(await own.status({ now: at(6) })).subjects, await outagesOf(own)], [[], []])
      equal([(await subjectOf(other, 'tv')).state, (await outagesOf(other))[0]?.endedAt], ['down', null])
      equal(await alertNames(driver), ['subject.down tv'])
    },
  },
  {
    name: 'each scope has a checker and a fleet of its own: a sleep or a mass outage of one is not the other’s',
    async run({ driver }) {
      const [one, other] = [tickingOn(driver, { scope: 'one' }), tickingOn(driver, { scope: 'other' })]
      await fleetOf(one, names(10))
      await alive(other, ['tv'])
      await checkAt(other, 1)
      await checkAt(one, 3)
      await checkAt(one, 4)
      equal((await checkAt(one, 5)).verdict, 'massSuspect')
      const woke = await checkAt(other, 6)
      equal([woke.verdict, woke.opened], ['catchUp', 0])
      const opened = []
      for (const minute of [6, 7]) opened.push(await checkAt(one, minute))
      equal(sum(opened, 'opened'), 10)
      equal((await outagesOf(other)).length, 0)
    },
  },
]
