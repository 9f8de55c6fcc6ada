import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { identifier, type Template } from '../../port/sql.ts'
import { cancel, cancelOrdered } from './cancel.ts'
import { dead } from './dead.ts'
import { disable, disabled, enable } from './destinations.ts'
import { enqueue } from './enqueue.ts'
import { lease } from './lease.ts'
import { look } from './look.ts'
import { redrive, redriveDestination } from './redrive.ts'
import { retry } from './retry.ts'
import { sent } from './sent.ts'
import { sweep } from './sweep.ts'

export { enqueueEach, enqueueFrom } from './enqueue.ts'
export { list } from './list.ts'

const written = {
  enqueue,
  lease,
  sent,
  retry,
  dead,
  look,
  cancel,
  cancelOrdered,
  redrive,
  redriveDestination,
  sweep,
  disable,
  enable,
  disabled,
}

/** The texts of all statements for one dialect and one prefix. */
export type Templates = Readonly<Record<keyof typeof written, Template>>

const kept = new WeakMap<Dialect, Map<string, Templates>>()

/** Written once for each dialect and prefix, however often an outbox is made (on Workers: per request). */
export function templates(dialect: Dialect, prefix: string): Templates {
  const ofDialect = kept.get(dialect) ?? new Map<string, Templates>()
  kept.set(dialect, ofDialect)
  const ready = ofDialect.get(prefix) ?? write(dialect, tableNames(prefix))
  ofDialect.set(prefix, ready)
  return ready
}

function write(dialect: Dialect, tables: TableNames): Templates {
  const entries = Object.entries(written).map(([name, statement]) => [name, statement(dialect, tables)])
  return Object.fromEntries(entries) as Templates
}

export function tableNames(prefix: string): TableNames {
  return (table) => identifier(prefix + table)
}
