import { createOutbox } from '../../../outbox/index.ts'
import { sql, statement } from '../../../port/sql.ts'
import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
  alertNames,
  alertsOn,
  alive,
  at,
  checkAt,
  deliverAll,
  downAt,
  given,
  livenessOn,
  MINUTE,
  outagesOf,
} from './given.ts'

export const alertCases: readonly Case[] = [
  {
    name: 'each transition is one alert for each destination, with what there is to know of it',
    async run({ driver }) {
      const liveness = livenessOn(driver, { scope: 'store', announceTo: ['ops', 'chat'] })
      const expected = { label: 'Lobby', tags: ['lobby', 'big'] }
      await given(liveness.beat('tv', { register: expected, now: at(0) }))
      const check = await checkAt(liveness, 5)
      equal([check.opened, check.alertsQueued], [1, 2])
      await deliverAll(driver, 5)
      await given(liveness.beat('tv', { now: at(7) }))
      const [outage] = await outagesOf(liveness)
      const alerts = (await alertsOn(driver)).map(
        ({ topic, destination, dedupKey, orderingKey, payload }) => ({
          topic,
          destination,
          dedupKey,
          orderingKey,
          payload: JSON.parse(payload) as Record<string, unknown>,
        }),
      )
      const known = {
        scope: 'store',
        subject: 'tv',
        label: 'Lobby',
        tags: ['lobby', 'big'],
        downtime: outage!.id,
        cause: 'silent',
        reason: null,
        startedAt: at(0),
        detectedAt: at(5),
        episode: outage!.episode,
      }
      const down = { ...known, endedAt: null, durationMs: null }
      const up = { ...known, endedAt: at(7), durationMs: 7 * MINUTE }
      const alert = (way: string, destination: string, payload: object) => ({
        topic: `subject.${way}`,
        destination,
        dedupKey: `${way}:${outage!.id}:${destination}`,
        orderingKey: `store:tv:${destination}`,
        payload,
      })
      const byKey = (one: { dedupKey: string }, other: { dedupKey: string }) =>
        one.dedupKey < other.dedupKey ? -1 : 1
      equal(alerts.sort(byKey), [
        alert('down', 'chat', down),
        alert('down', 'ops', down),
        alert('up', 'chat', up),
        alert('up', 'ops', up),
      ])
    },
  },
  {
    name: 'a failure is announced with its reason',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['job'])
      await given(liveness.fail('job', { reason: 'exit 1: disk full', now: at(1) }))
      const [alert] = await alertsOn(driver)
      const { cause, reason, startedAt } = JSON.parse(alert!.payload) as Record<string, unknown>
      equal([cause, reason, startedAt], ['failed', 'exit 1: disk full', at(1)])
    },
  },
  {
    name: 'nobody to tell: rows, and no alert',
    async run({ driver }) {
      const liveness = livenessOn(driver, { announceTo: [] })
      await downAt(liveness, 'tv', 5)
      await given(liveness.beat('tv', { now: at(6) }))
      equal([(await outagesOf(liveness)).length, await alertNames(driver)], [1, []])
    },
  },
  {
    name: 'destinations may be a table of rules',
    async run({ driver }) {
      const text = [
        sql`create table rules (scope text not null, subject_id text not null, destination text not null)`,
        sql`insert into rules (scope, subject_id, destination) values ('', 'tv', 'ops'), ('', 'tv', 'chat'), ('', 'other', 'mail'), ('x', 'job', 'mail')`,
      ]
      for (const each of text) await driver.execute(statement(driver.dialect, each, { name: 'test.rules' }))
      const liveness = livenessOn(driver, {
        announceTo: sql`select scope, subject_id, destination from rules`,
      })
      await alive(liveness, ['tv', 'job'])
      const check = await checkAt(liveness, 5)
      equal([check.opened, check.alertsQueued], [2, 2])
      equal((await alertsOn(driver)).map(({ destination }) => destination).sort(), ['chat', 'ops'])
      await deliverAll(driver, 5)
      await given(liveness.beat('tv', { now: at(6) }))
      equal((await alertsOn(driver)).map(({ topic, destination }) => `${topic} ${destination}`).sort(), [
        'subject.down chat',
        'subject.down ops',
        'subject.up chat',
        'subject.up ops',
      ])
    },
  },
  {
    name: 'back is told once, however many beats follow',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 5)
      await deliverAll(driver, 5)
      for (let minute = 6; minute < 31; minute += 1) {
        await Promise.all([1, 2].map(() => given(liveness.beat('tv', { now: at(minute) }))))
      }
      await checkAt(liveness, 31)
      equal(await alertNames(driver), ['subject.down tv, sent', 'subject.up tv'])
    },
  },
  {
    name: 'looking swallows nothing: whoever reads first, the check still opens and announces',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['tv'])
      for (let look = 0; look < 3; look += 1) {
        await liveness.status({ now: at(9) })
        await liveness.status({ state: 'down', now: at(9) })
        await liveness.downtimes({ open: true })
        await liveness.uptime('tv', { from: at(0), to: at(9), now: at(9) })
      }
      const { opened, alertsQueued } = await checkAt(liveness, 9)
      equal([opened, alertsQueued], [1, 1])
    },
  },
  {
    name: 'an unsent down and its end cancel each other; what was sent is followed by its end',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'quick', 5)
      await given(liveness.beat('quick', { now: at(6) }))
      equal(await alertNames(driver), ['subject.down quick, cancelled'])
      await given(liveness.beat('quick', { now: at(10) }))
      await downAt(liveness, 'slow', 12)
      await createOutbox(driver).lease({ limit: 1, ttl: '1m', now: at(12) })
      await given(liveness.beat('slow', { now: at(13) }))
      equal((await alertNames(driver)).slice(1), ['subject.down slow, leased', 'subject.up slow'])
    },
  },
]
