import { createOutbox, type Message, type OutboxOptions } from '../../../outbox/index.ts'
import type { Driver } from '../../../port/driver.ts'
import { equal, rejects, throws } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { message, outboxOn } from './given.ts'

/** A driver that must not be asked. */
function untouched(driver: Driver): { driver: Driver; asked: () => number } {
  let asked = 0
  const count = async () => {
    asked += 1
    return []
  }
  return { driver: { ...driver, execute: count, batch: count }, asked: () => asked }
}

const circular: { self?: unknown } = {}
circular.self = circular

const badMessages: readonly (readonly [string, unknown])[] = [
  ['topic', message('x', { topic: '' })],
  ['topic', message('x', { topic: 'x'.repeat(201) })],
  ['destination', message('x', { destination: 'a\0b' })],
  ['dedupKey', message('')],
  ['dedupKey', message('\ud800')],
  ['dedupKey', message('x'.repeat(513))],
  ['dedupKey', { topic: 't', destination: 'a', payload: 1 }],
  ['orderingKey', message('x', { orderingKey: '' })],
  ['payload', message('x', { payload: undefined })],
  ['payload', message('x', { payload: 5n })],
  ['payload', message('x', { payload: circular })],
  ['payload', message('x', { payload: 'x'.repeat(99) })],
  ['payload', message('x', { payload: 'é'.repeat(50) })],
  ['notBefore', message('x', { notBefore: -1 })],
  ['notBefore', message('x', { notBefore: 1.5 })],
  ['delay', message('x', { delay: 0 })],
  ['delay', message('x', { delay: 'soon' })],
  ['delay', message('x', { delay: 5, notBefore: 5 })],
]

const badOptions: readonly (readonly [string, OutboxOptions])[] = [
  ['prefix', { prefix: 'a"b' }],
  ['attempts', { attempts: 0 }],
  ['maxAge', { maxAge: -5 }],
  ['firstDelay', { firstDelay: Number.NaN }],
  ['longestDelay', { longestDelay: 0 }],
  ['payloadBytes', { payloadBytes: 0.5 }],
]

export const inputCases: readonly Case[] = [
  {
    name: 'bad input is refused by name, before the database is asked',
    async run(context) {
      const { driver, asked } = untouched(context.driver)
      const outbox = outboxOn(driver, { payloadBytes: 100 })
      const lease = { id: 1, token: 1, attempts: 1 }
      const refused = async (field: string, call: () => Promise<unknown>) => {
        const error = (await rejects(call, { code: 'INVALID_INPUT' })) as { details: { field: string } }
        equal(error.details.field, field)
      }
      for (const [field, bad] of badMessages) {
        await refused(field, () => outbox.enqueue(bad as Message))
        await refused(`messages[1].${field}`, () => outbox.enqueue([message('y'), bad as Message]))
      }
      await refused('messages', () => outbox.enqueue([]))
      for (const limit of [0, 1.5, 1001]) await refused('limit', () => outbox.lease({ limit, ttl: 10 }))
      for (const ttl of [0, -1, Number.NaN, '']) await refused('ttl', () => outbox.lease({ limit: 1, ttl }))
      await refused('perDestination', () => outbox.lease({ limit: 1, ttl: 10, perDestination: 0 }))
      await refused('now', () => outbox.lease({ limit: 1, ttl: 10, now: -1 }))
      await refused('token', () => outbox.sent({ id: 1, token: 0 }))
      await refused('id', () => outbox.dead({ id: 0.5, token: 1 }, { error: 'no' }))
      await refused('retryAfterMs', () => outbox.retry(lease, { error: 'no', retryAfterMs: -1 }))
      await refused('dedupKeys.length', () => outbox.cancel({ dedupKeys: [] }))
      await refused('dedupKeys[0]', () => outbox.redrive({ dedupKeys: [''] }))
      await refused('limit', () => outbox.redrive({ destination: 'a', limit: 0 }))
      await refused('state', () => outbox.list({ state: 'gone' as 'dead' }))
      await refused('before', () => outbox.list({ before: -1 }))
      await refused('retention', () => outbox.sweep({ retention: 0 }))
      await refused('step', () => outbox.sweep({ step: 0 }))
      await refused('steps', () => outbox.sweep({ steps: 0 }))
      await refused('destination', () => outbox.disable(''))
      for (const [field, options] of badOptions) {
        const error = throws(() => createOutbox(driver, options), { code: 'INVALID_INPUT' })
        equal((error as { details: { field: string } }).details.field, field)
      }
      equal(asked(), 0)
    },
  },
  {
    name: 'companions are refused where a batch is not atomic',
    async run(context) {
      const { driver, asked } = untouched({ ...context.driver, atomicBatch: false })
      const outbox = outboxOn(driver)
      const also = [outbox.statements.enable('a')]
      await rejects(outbox.enqueue(message('x'), { also }), { code: 'INVALID_INPUT' })
      await rejects(outbox.sent({ id: 1, token: 1 }, { also }), { code: 'INVALID_INPUT' })
      equal(asked(), 0)
    },
  },
]
