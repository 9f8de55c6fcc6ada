import type { Driver } from './driver.ts'
import { messageOf } from './fault.ts'
import { RULES, type Rule, run, type Scratch } from './probe-rules.ts'
import { identifier, sql } from './sql.ts'

/** One thing Rowlock counts on, and whether it holds on this database. */
export interface Finding {
  readonly rule: string
  readonly holds: boolean
  /** What was seen instead. */
  readonly seen?: string
}

export interface Probe {
  /** Whether everything holds. */
  readonly ok: boolean
  readonly findings: readonly Finding[]
}

/**
 * Tries on this very database, through this very driver, what Rowlock counts on, and says what holds.
 * It works in a table of its own, `rowlock_probe_` and something random, and removes it afterwards.
 * Throws where it may not make a table, and where the database cannot be asked.
 */
export async function probe(driver: Driver): Promise<Probe> {
  const { integer, tableOptions } = driver.dialect
  const table = identifier(`rowlock_probe_${Math.random().toString(36).slice(2, 10)}`)
  const scratch = { driver, table }
  await run(
    scratch,
    sql`create table ${table} (key text not null primary key, amount ${integer})${tableOptions}`,
  )
  try {
    const findings: Finding[] = []
    for (const rule of RULES) {
      await run(scratch, sql`delete from ${table}`)
      findings.push(await find(rule, scratch))
    }
    return { ok: findings.every(({ holds }) => holds), findings }
  } finally {
    await run(scratch, sql`drop table ${table}`)
  }
}

async function find({ rule, atomic, look }: Rule, scratch: Scratch): Promise<Finding> {
  if (atomic && !scratch.driver.atomicBatch) {
    return { rule, holds: false, seen: 'the driver declares that its batches are not atomic' }
  }
  const seen = await look(scratch).catch(messageOf)
  return seen === undefined ? { rule, holds: true } : { rule, holds: false, seen }
}
