import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
  alertNames,
  alive,
  at,
  checkAt,
  deliverAll,
  downAt,
  given,
  livenessOn,
  outagesOf,
  sum,
  ticks,
} from './given.ts'

export const muteCases: readonly Case[] = [
  {
    name: 'nobody is told of a return that nobody was told of',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await given(liveness.beat('tv', { register: { maintenanceUntil: at(60) }, now: at(0) }))
      const { opened, alertsQueued, suppressed } = await checkAt(liveness, 5)
      equal([opened, alertsQueued, suppressed], [1, 0, 1])
      await given(liveness.beat('tv', { now: at(6) }))
      equal(await alertNames(driver), [])
      equal(
        (await outagesOf(liveness)).map(({ suppressedBy }) => suppressedBy),
        ['maintenance'],
      )
    },
  },
  {
    name: 'maintenance mutes what begins in it, and not the end of what was announced before',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 5)
      await deliverAll(driver, 5)
      await given(liveness.register('tv', { maintenanceUntil: at(60), now: at(6) }))
      await given(liveness.beat('tv', { now: at(7) }))
      equal(await alertNames(driver), ['subject.down tv, sent', 'subject.up tv'])
      await given(liveness.beat('tv', { now: at(20) }))
      equal((await checkAt(liveness, 30)).suppressed, 1, 'another episode, in maintenance')
      for (const minute of [40, 51, 59]) await given(liveness.beat('tv', { now: at(minute) }))
      equal((await alertNames(driver)).length, 2)
      equal((await checkAt(liveness, 64)).alertsQueued, 1, 'maintenance is over')
    },
  },
  {
    name: 'what is behind a parent that is down gets its row and no alert',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['router'])
      await given(liveness.beat('tv', { register: { parent: 'router' }, now: at(1) }))
      equal((await checkAt(liveness, 5)).alertsQueued, 1)
      const { opened, alertsQueued, suppressed } = await checkAt(liveness, 6)
      equal([opened, alertsQueued, suppressed], [1, 0, 1])
      await deliverAll(driver, 6)
      for (const id of ['tv', 'router']) await given(liveness.beat(id, { now: at(7) }))
      equal(await alertNames(driver), ['subject.down router, sent', 'subject.up router'])
      equal((await outagesOf(liveness, 'tv'))[0]?.suppressedBy, 'parent')
    },
  },
  {
    name: 'down again within the episode window: a row of its own, the same episode, no second page',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 5)
      await deliverAll(driver, 5)
      await given(liveness.beat('tv', { now: at(6) }))
      const again = await checkAt(liveness, 11)
      equal([again.opened, again.alertsQueued, again.suppressed], [1, 0, 1])
      await given(liveness.beat('tv', { now: at(12) }))
      await given(liveness.beat('tv', { now: at(23) }))
      const later = await checkAt(liveness, 28)
      equal([later.opened, later.alertsQueued, later.suppressed], [1, 1, 0])
      const [one, two, three] = await outagesOf(liveness)
      equal([one!.episode === two!.episode, two!.episode === three!.episode], [true, false])
      equal([one!.suppressedBy, two!.suppressedBy, three!.suppressedBy], [null, 'episode', null])
      const found = await liveness.downtimes({ episode: one!.episode })
      equal(
        found.downtimes.map(({ id }) => id),
        [two!.id, one!.id],
      )
      equal(await alertNames(driver), ['subject.down tv, sent', 'subject.up tv', 'subject.down tv'])
    },
  },
  {
    name: 'who goes up and down all the time is muted; when that is over, what still lasts is announced once',
    async run({ driver }) {
      const flapping = { changes: 6, within: '1h' }
      const liveness = livenessOn(driver, { episodeWindow: 1, flapping })
      const summaries = []
      for (let minute = 0; minute < 48; minute += 12) {
        await alive(liveness, ['tv'], minute)
        summaries.push(await checkAt(liveness, minute + 5))
        await deliverAll(driver, minute + 5)
        if (minute < 36) await given(liveness.beat('tv', { now: at(minute + 6) }))
      }
      equal(
        [sum(summaries, 'opened'), sum(summaries, 'alertsQueued'), sum(summaries, 'suppressed')],
        [4, 3, 1],
      )
      equal(
        (await outagesOf(liveness)).map(({ suppressedBy }) => suppressedBy),
        [null, null, null, 'flapping'],
      )
      const quiet = await ticks(liveness, 49, 100)
      equal([sum(quiet, 'opened'), sum(quiet, 'alertsQueued')], [0, 1])
      equal((await alertNames(driver)).slice(-2), ['subject.up tv, sent', 'subject.down tv'])
      await deliverAll(driver, 100)
      await given(liveness.beat('tv', { now: at(100) }))
      equal((await alertNames(driver)).slice(-2), ['subject.down tv, sent', 'subject.up tv'])
    },
  },
  {
    name: 'a pause tells the end of what was announced, and takes back what was not sent',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'told', 5)
      await deliverAll(driver, 5)
      await given(liveness.pause('told', { now: at(6) }))
      await downAt(liveness, 'untold', 12)
      await given(liveness.pause('untold', { now: at(13) }))
      equal(await alertNames(driver), [
        'subject.down told, sent',
        'subject.up told',
        'subject.down untold, cancelled',
      ])
    },
  },
  {
    name: 'a removal takes back what was not sent, and tells nobody',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'told', 5)
      await deliverAll(driver, 5)
      await given(liveness.remove('told', { now: at(6) }))
      await downAt(liveness, 'untold', 12)
      await given(liveness.remove('untold', { now: at(13) }))
      equal(await alertNames(driver), ['subject.down told, sent', 'subject.down untold, cancelled'])
    },
  },
]
