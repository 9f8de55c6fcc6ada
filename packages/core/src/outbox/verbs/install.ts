import { installSchemas } from '../../install/installer.ts'
import type { Driver } from '../../port/driver.ts'
import type { Outbox } from '../outbox.ts'
import { outboxSchema } from '../schema.ts'

export function install(driver: Driver, prefix: string): Outbox['install'] {
  return async () => {
    await installSchemas(driver, [outboxSchema], { prefix })
  }
}
