import { createLiveness, type LivenessOptions } from '../../../liveness/index.ts'
import type { Driver } from '../../../port/driver.ts'
import { sql, statement } from '../../../port/sql.ts'
import { equal, rejects, throws } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { livenessOn } from './given.ts'

/** A driver that must not be asked. */
function untouched(driver: Driver): { driver: Driver; asked: () => number } {
  let asked = 0
  const count = async () => {
    asked += 1
    return []
  }
  return { driver: { ...driver, execute: count, batch: count }, asked: () => asked }
}

const tags = Array.from({ length: 51 }, (_, index) => `tag ${index}`)

const badExpectations: readonly (readonly [string, object])[] = [
  ['label', { label: '' }],
  ['label', { label: 'a\0b' }],
  ['downAfter', { downAfter: 0 }],
  ['downAfter', { downAfter: 'soon' }],
  ['lateAfter', { lateAfter: -1 }],
  ['nextDueAt', { nextDueAt: -1 }],
  ['nextDueAt', { nextDueAt: 1.5 }],
  ['mustAppearWithin', { mustAppearWithin: Number.NaN }],
  ['parent', { parent: '' }],
  ['tags', { tags }],
  ['tags[1]', { tags: ['a', ''] }],
  ['tags[0]', { tags: ['x'.repeat(101)] }],
  ['maintenanceUntil', { maintenanceUntil: Number.POSITIVE_INFINITY }],
]

const badOptions: readonly (readonly [string, object])[] = [
  ['prefix', { prefix: 'a"b' }],
  ['scope', { scope: 'a\0b' }],
  ['every', { every: 0 }],
  ['downAfter', { downAfter: -5 }],
  ['lateAfter', { lateAfter: 'x' }],
  ['episodeWindow', { episodeWindow: Number.NaN }],
  ['flapping.changes', { flapping: { changes: 0, within: '1h' } }],
  ['flapping.within', { flapping: { changes: 6, within: 0 } }],
  ['mass.share', { mass: { share: 1.5, least: 5, holdTicks: 2 } }],
  ['mass.least', { mass: { share: 0.5, least: 0, holdTicks: 2 } }],
  ['mass.holdTicks', { mass: { share: 0.5, least: 5, holdTicks: -1 } }],
  ['repairEvery', { repairEvery: 0 }],
  ['batch', { batch: 1001 }],
  ['announceTo[0]', { announceTo: [''] }],
]

export const inputCases: readonly Case[] = [
  {
    name: 'bad input is refused by name, before the database is asked',
    async run(context) {
      const { driver, asked } = untouched(context.driver)
      const liveness = livenessOn(driver)
      const refused = async (field: string, call: () => Promise<unknown>) => {
        const error = (await rejects(call, { code: 'INVALID_INPUT' })) as { details: { field: string } }
        equal(error.details.field, field)
      }
      for (const [field, bad] of badExpectations) {
        await refused(field, () => liveness.register('tv', bad))
        await refused(`register.${field}`, () => liveness.beat('tv', { register: bad }))
        await refused(`subjects[1].${field}`, () =>
          liveness.registerMany([{ id: 'a' }, { id: 'tv', ...bad }]),
        )
      }
      for (const id of ['', 'a\0b', 'x'.repeat(201), '\ud800']) {
        for (const verb of ['register', 'beat', 'fail', 'pause', 'resume', 'remove'] as const) {
          await refused('id', () => liveness[verb](id))
        }
        await refused('beats[0].id', () => liveness.beatMany([{ id }]))
      }
      for (const field of ['sentAt', 'receivedAt', 'nextDueAt'] as const) {
        await refused(field, () => liveness.beat('tv', { [field]: -1 }))
        await refused(`beats[0].${field}`, () => liveness.beatMany([{ id: 'tv', [field]: 0.5 }]))
      }
      for (const verb of ['beat', 'fail', 'pause', 'resume', 'remove'] as const) {
        await refused('now', () => liveness[verb]('tv', { now: -1 }))
      }
      await refused('now', () => liveness.check({ now: 1.5 }))
      await refused('run', () => liveness.check({ run: '' }))
      await refused('state', () => liveness.status({ state: 'gone' as 'up' }))
      for (const limit of [0, 1001, 1.5]) {
        await refused('limit', () => liveness.status({ limit }))
        await refused('limit', () => liveness.downtimes({ limit }))
      }
      await refused('from', () => liveness.uptime('tv', { from: -1, to: 5 }))
      await refused('to', () => liveness.uptime('tv', { from: 5, to: 4 }))
      for (const [field, options] of badOptions) {
        const error = throws(() => createLiveness(driver, options as LivenessOptions), {
          code: 'INVALID_INPUT',
        })
        equal((error as { details: { field: string } }).details.field, field)
      }
      equal(asked(), 0)
    },
  },
  {
    name: 'companions are refused where a batch is not atomic',
    async run(context) {
      const { driver, asked } = untouched({ ...context.driver, atomicBatch: false })
      const liveness = livenessOn(driver)
      const also = [statement(driver.dialect, sql`select 1 as one`, { name: 'test.companion' })]
      for (const verb of ['register', 'beat', 'fail', 'pause', 'resume', 'remove'] as const) {
        await rejects(liveness[verb]('tv', { also }), { code: 'INVALID_INPUT' })
      }
      await rejects(liveness.beatMany([{ id: 'tv' }], { also }), { code: 'INVALID_INPUT' })
      await rejects(liveness.check({ also }), { code: 'INVALID_INPUT' })
      equal(asked(), 0)
    },
  },
]
