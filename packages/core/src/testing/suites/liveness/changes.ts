import { sql, statement } from '../../../port/sql.ts'
import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { alertNames, alive, at, checkAt, downAt, given, livenessOn, outagesOf, subjectOf } from './given.ts'

export const changeCases: readonly Case[] = [
  {
    name: 'removed while it is down: its outage ends with that reason, and nothing is checked any more',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 5)
      await alive(liveness, ['other'], 5)
      const [open] = await outagesOf(liveness)
      equal(await liveness.remove('tv', { now: at(6) }), { ok: true, changed: true, closed: open!.id })
      equal(await liveness.remove('tv', { now: at(7) }), { ok: false, reason: 'missing' })
      equal(await liveness.beat('tv', { now: at(7) }), { ok: false, reason: 'missing' })
      const [closed] = await outagesOf(liveness)
      equal([closed?.endReason, closed?.endedAt, closed?.subject], ['removed', at(6), 'tv'])
      equal(
        (await liveness.status({ now: at(7) })).subjects.map(({ id }) => id),
        ['other'],
      )
      const { opened, checked } = await checkAt(liveness, 10)
      equal([opened, checked], [1, 1], 'the other one')
    },
  },
  {
    name: 'who was removed may be registered again, and begins anew',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 5)
      await given(liveness.remove('tv', { now: at(6) }))
      equal(await liveness.register('tv', { now: at(7) }), { ok: true, created: true, rearmed: false })
      const { state, lastSeen, beats } = await subjectOf(liveness, 'tv', 7)
      equal([state, lastSeen, beats], ['new', null, 0])
      equal((await checkAt(liveness, 60)).opened, 0)
      equal((await outagesOf(liveness, 'tv')).length, 1, 'history stays')
    },
  },
  {
    name: 'a pause ends the outage and expects nothing; the end of the pause starts the clock anew',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 5)
      const [open] = await outagesOf(liveness)
      equal(await liveness.pause('tv', { now: at(6) }), { ok: true, changed: true, closed: open!.id })
      equal(await liveness.pause('tv', { now: at(7) }), { ok: true, changed: false, closed: null })
      equal((await outagesOf(liveness))[0]?.endReason, 'paused')
      const beat = await given(liveness.beat('tv', { now: at(8) }))
      equal([beat.state, beat.closed], ['paused', null])
      equal((await checkAt(liveness, 100)).opened, 0)
      const { lastSeen, beats, deadline } = await subjectOf(liveness, 'tv', 100)
      equal([lastSeen, beats, deadline], [at(8), 2, null], 'beats still count')
      equal(await liveness.resume('tv', { now: at(200) }), { ok: true, changed: true, closed: null })
      equal(await liveness.resume('tv', { now: at(201) }), { ok: true, changed: false, closed: null })
      equal((await given(liveness.check({ now: at(205) - 1 }))).opened, 0)
      equal((await checkAt(liveness, 205)).opened, 1)
      equal((await outagesOf(liveness))[1]?.startedAt, at(200), 'the pause is no outage')
      for (const verb of ['pause', 'resume'] as const) {
        equal(await liveness[verb]('nobody', { now: at(0) }), { ok: false, reason: 'missing' })
      }
    },
  },
  {
    name: 'a form that shortens a threshold starts the clock anew: a save never pages',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['tv'])
      const saved = await liveness.register('tv', { downAfter: '1m', now: at(4) })
      equal(saved, { ok: true, created: false, rearmed: true })
      equal((await subjectOf(liveness, 'tv', 4)).deadline, at(5))
      equal((await checkAt(liveness, 4)).opened, 0)
      const again = await liveness.register('tv', { downAfter: '1m', label: 'Lobby', now: at(4.5) })
      equal(again, { ok: true, created: false, rearmed: false })
      equal((await given(liveness.check({ now: at(5) - 1 }))).opened, 0)
      equal((await checkAt(liveness, 5)).opened, 1)
      equal((await outagesOf(liveness))[0]?.startedAt, at(4))
    },
  },
  {
    name: 'late is told of who is up and silent for long enough, and is neither a row nor an alert',
    async run({ driver }) {
      const liveness = livenessOn(driver, { lateAfter: '2m' })
      await alive(liveness, ['tv'])
      const late = async (instant: number) =>
        (await liveness.status({ state: 'late', now: instant })).subjects.map(({ id, late }) => [id, late])
      equal(
        [await late(at(2) - 1), await late(at(2)), await late(at(4))],
        [[], [['tv', true]], [['tv', true]]],
      )
      equal([await outagesOf(liveness), await alertNames(driver)], [[], []])
      await checkAt(liveness, 5)
      equal(await late(at(5)), [], 'down is not late')
    },
  },
  {
    name: 'one row that goes away in the middle of a check stops none of the others',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      const ids = ['a', 'b', 'c']
      await alive(liveness, ids)
      let removed = false
      const inTheMiddle = livenessOn({
        ...driver,
        async batch(statements) {
          if (!removed) {
            removed = true
            await given(liveness.remove('b', { now: at(5) }))
          }
          return await driver.batch(statements)
        },
      })
      const { opened, newlyDown, raced } = await checkAt(inTheMiddle, 5)
      equal([opened, removed], [2, true])
      equal(newlyDown - opened - raced, 0)
      equal((await outagesOf(liveness)).map(({ subject }) => subject).sort(), ['a', 'c'])
    },
  },
  {
    name: 'an outage outlives the row of its subject',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await downAt(liveness, 'tv', 5)
      await given(liveness.beat('tv', { now: at(6) }))
      const forget = sql`delete from rowlock_subjects where id = 'tv'`
      await driver.execute(statement(driver.dialect, forget, { name: 'test.forget' }))
      equal((await outagesOf(liveness)).length, 1)
    },
  },
]
