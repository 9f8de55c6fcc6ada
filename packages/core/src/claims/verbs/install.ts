import { installSchemas } from '../../install/installer.ts'
import type { InstallOptions } from '../call-options.ts'
import { type Context, isMissingColumn, nowSlot, ttlMs } from '../context.ts'
import type { ClaimColumn } from '../options.ts'
import { claimsSchema } from '../schema.ts'
import { addColumn, hasColumn, holdExisting } from '../statements/add-columns.ts'

/**
 * Makes Rowlock's own table, or adds the claim's columns to yours. Safe to call at every start, and
 * from any number of processes at once.
 */
export async function install(context: Context, options: InstallOptions = {}): Promise<void> {
  const { driver, shapes, prefix } = context
  if (shapes[0].table.owned) {
    await installSchemas(driver, [claimsSchema], prefix === undefined ? {} : { prefix })
    return
  }
  const held =
    options.existing === 'held'
      ? { ttl: ttlMs(context, options.ttl), now: nowSlot(context, options.now) }
      : null
  const missing = await missingColumns(context)
  if (missing.length === 0) return
  const { table } = shapes[0]
  const add = missing.map((column) => addColumn(driver.dialect, table, column))
  try {
    await driver.batch(held === null ? add : [...add, holdExisting(driver.dialect, table).with(held)])
  } catch (error) {
    // Another process was faster: then the columns are there now.
    if ((await missingColumns(context)).length > 0) throw error
  }
}

async function missingColumns({ driver, shapes }: Context): Promise<ClaimColumn[]> {
  const { table } = shapes[0]
  const missing: ClaimColumn[] = []
  for (const [name, column] of Object.entries(table.columns) as [ClaimColumn, unknown][]) {
    if (column === null) continue
    try {
      await driver.execute(hasColumn(driver.dialect, table, name))
    } catch (error) {
      if (!isMissingColumn(error)) throw error
      missing.push(name)
    }
  }
  return missing
}
