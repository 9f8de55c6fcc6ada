import { equal } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import {
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
} from './given.ts'

type Page = { readonly subjects: readonly { readonly id: string }[] }
const ids = ({ subjects }: Page) => subjects.map(({ id }) => id)

export const listCases: readonly Case[] = [
  {
    name: 'status gives pages in the order of the ids, by any filter',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await alive(liveness, ['c', 'a', 'e', 'b', 'd'])
      await given(liveness.register('a', { label: 'Lobby 1', tags: ['lobby', 'big'], now: at(0) }))
      await given(liveness.register('b', { label: 'Bar', tags: ['bar'], now: at(0) }))
      await given(liveness.register('new', { tags: ['lobby'], now: at(0) }))
      await given(liveness.pause('c', { now: at(0) }))
      await given(liveness.fail('d', { now: at(0) }))
      const now = at(1)
      const first = await liveness.status({ limit: 4, now })
      equal([ids(first), first.next], [['a', 'b', 'c', 'd'], 'd'])
      const second = await liveness.status({ limit: 4, after: 'd', now })
      equal([ids(second), second.next], [['e', 'new'], null])
      for (const [state, found] of [
        ['up', ['a', 'b', 'e']],
        ['down', ['d']],
        ['paused', ['c']],
        ['new', ['new']],
        ['late', []],
      ] as const) {
        equal(ids(await liveness.status({ state, now })), found, state)
      }
      equal(ids(await liveness.status({ tag: 'lobby', now })), ['a', 'new'])
      equal(ids(await liveness.status({ tag: 'lob', now })), [])
      equal(ids(await liveness.status({ search: 'bA', now })), ['b'])
      equal(ids(await liveness.status({ search: 'obby', now })), ['a'])
      equal(ids(await liveness.status({ search: 'ew', now })), ['new'])
      equal(ids(await liveness.status({ search: '%', now })), [])
      equal(ids(await liveness.status({ ids: ['b', 'x', 'a'], now })), ['a', 'b'])
      equal(ids(await liveness.status({ state: 'up', tag: 'bar', ids: ['a', 'b'], now })), ['b'])
    },
  },
  {
    name: 'downtimes gives pages, newest first, by any filter',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      for (const minute of [5, 60, 120]) {
        await downAt(liveness, 'tv', minute)
        await given(liveness.beat('tv', { now: at(minute + 5) }))
      }
      await alive(liveness, ['other'], 195)
      equal((await checkAt(liveness, 200)).opened, 2)
      const all = (await liveness.downtimes()).downtimes.map(({ id }) => id)
      equal(all.length, 5, 'tv is down again, too')
      const first = await liveness.downtimes({ limit: 2 })
      equal(
        first.downtimes.map(({ id }) => id),
        all.slice(0, 2),
      )
      const second = await liveness.downtimes({ limit: 3, before: first.next! })
      equal([second.downtimes.map(({ id }) => id), second.next], [all.slice(2), null])
      equal((await liveness.downtimes({ open: true })).downtimes.length, 2)
      equal((await liveness.downtimes({ open: false })).downtimes.length, 3)
      equal((await liveness.downtimes({ subject: 'tv' })).downtimes.length, 4)
      equal((await liveness.downtimes({ subject: 'tv', open: true })).downtimes.length, 1)
      const oldest = (await outagesOf(liveness, 'tv'))[0]!
      const touching = async (from: number, to: number) =>
        (await liveness.downtimes({ from, to })).downtimes.map(({ startedAt }) => startedAt)
      equal(await touching(at(0), at(1)), [oldest.startedAt])
      equal(await touching(at(9), at(30)), [oldest.startedAt])
      equal(await touching(at(11), at(54)), [])
      equal((await touching(at(300), at(301))).length, 2, 'those that last')
    },
  },
  {
    name: 'many are registered at once; those that are there keep what is not said',
    async run({ driver }) {
      const liveness = livenessOn(driver)
      await given(liveness.register('b', { label: 'Bar', downAfter: '2m', now: at(0) }))
      const many = [{ id: 'a' }, { id: 'b', tags: ['bar'] }, { id: 'c', label: 'Cellar', downAfter: '1h' }]
      const outcome = await given(liveness.registerMany(many, { now: at(1) }))
      equal([[...outcome.created].sort(), outcome.changed], [['a', 'c'], ['b']])
      const { label, tags, downAfterMs } = await subjectOf(liveness, 'b')
      equal([label, tags, downAfterMs], ['Bar', ['bar'], 120_000])
      equal((await subjectOf(liveness, 'c')).label, 'Cellar')
    },
  },
  {
    name: 'a thousand and more fall silent: all are opened, in one check',
    async run({ driver }) {
      const liveness = livenessOn(driver, { mass: { share: 1, least: 10_000, holdTicks: 0 }, batch: 300 })
      await fleetOf(liveness, names(1000))
      const { checked, newlyDown, opened, alertsQueued, raced } = await checkAt(liveness, 5)
      equal([checked, newlyDown, opened, alertsQueued, raced], [1000, 1000, 1000, 1000, 0])
      equal((await liveness.status({ state: 'down', limit: 1000, now: at(5) })).subjects.length, 1000)
    },
  },
]
