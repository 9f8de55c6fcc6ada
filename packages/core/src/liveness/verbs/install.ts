import { installSchemas } from '../../install/installer.ts'
import { outboxSchema } from '../../outbox/schema.ts'
import type { Driver } from '../../port/driver.ts'
import type { Liveness } from '../liveness.ts'
import { livenessSchema } from '../schema.ts'

export function install(driver: Driver, prefix: string): Liveness['install'] {
  return async () => {
    await installSchemas(driver, [outboxSchema, livenessSchema], { prefix })
  }
}
