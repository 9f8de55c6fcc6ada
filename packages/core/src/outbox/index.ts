import type { Driver } from '../port/driver.ts'
import { settings } from './input/settings.ts'
import type { Outbox, Parts } from './outbox.ts'
import { calls } from './statements/calls.ts'
import { tableNames, templates } from './statements/index.ts'
import type { OutboxOptions } from './types.ts'
import { cancel } from './verbs/cancel.ts'
import { dead } from './verbs/dead.ts'
import { disable, disabled, enable } from './verbs/destinations.ts'
import { enqueue, enqueueFrom } from './verbs/enqueue.ts'
import { install } from './verbs/install.ts'
import { lease } from './verbs/lease.ts'
import { list } from './verbs/list.ts'
import { redrive } from './verbs/redrive.ts'
import { retry } from './verbs/retry.ts'
import { sent } from './verbs/sent.ts'
import { sweep } from './verbs/sweep.ts'

export type { Outbox } from './outbox.ts'
export { outboxSchema } from './schema.ts'
export type { OutboxStatements } from './statements/calls.ts'
export type * from './types.ts'

/**
 * An outbox on a database: what must be sent is written with what caused it, and sent at least once.
 * @throws InvalidInputError for an option outside its bounds.
 */
export function createOutbox(driver: Driver, options: OutboxOptions = {}): Outbox {
  const given = settings(options)
  const statements = calls(driver.dialect, given)
  const tables = tableNames(given.prefix)
  const parts: Parts = { driver, tables, texts: templates(driver.dialect, given.prefix), statements }
  return {
    statements,
    install: install(driver, given.prefix),
    enqueue: enqueue(parts),
    enqueueFrom: enqueueFrom(parts),
    lease: lease(parts),
    sent: sent(parts),
    retry: retry(parts),
    dead: dead(parts),
    cancel: cancel(parts),
    redrive: redrive(parts),
    list: list(parts),
    sweep: sweep(parts),
    disable: disable(parts),
    enable: enable(parts),
    disabled: disabled(parts),
  }
}
