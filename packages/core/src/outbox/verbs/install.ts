import type { Driver } from '../../port/driver.ts'
import { statement } from '../../port/sql.ts'
import { outboxSchema } from '../schema.ts'
import { tableNames } from '../statements/index.ts'

/** Creates the tables where they are missing. */
export function installTables(driver: Driver, prefix: string): () => Promise<void> {
  return async () => {
    for (const migration of outboxSchema.migrations) {
      for (const step of migration.statements(driver.dialect, tableNames(prefix))) {
        await driver.execute(statement(driver.dialect, step, { name: 'outbox.install' }))
      }
    }
  }
}
