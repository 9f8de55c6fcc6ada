import { orUnknown, run } from '../../port/run.ts'
import type { Outbox, Parts } from '../outbox.ts'
import { named } from './stored.ts'

export function enqueue({ driver, statements }: Parts): Outbox['enqueue'] {
  return async (messages, options = {}) => {
    const statement = statements.enqueue(messages, options)
    const asked = Array.isArray(messages) ? messages.length : 1
    return await orUnknown(async () => {
      const enqueued = named(await run(driver, statement, options.also))
      return { ok: true, enqueued, duplicates: asked - enqueued.length }
    })
  }
}

export function enqueueFrom({ driver, statements }: Parts): Outbox['enqueueFrom'] {
  return async (select, options = {}) => {
    const statement = statements.enqueueFrom(select, options)
    return await orUnknown(async () => ({
      ok: true,
      changed: named(await run(driver, statement, options.also)),
    }))
  }
}
