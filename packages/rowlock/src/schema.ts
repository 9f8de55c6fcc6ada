import { moduleSchemas } from '@rowlock/core'
import type { ModuleSchema } from '@rowlock/core/module'
import { deliveriesSchema } from './deliveries/schema.ts'
import { eventsSchema } from './events/schema.ts'
import { fleetSchema } from './fleet/schema.ts'
import { identitySchema } from './identity/schema.ts'

/** Every table of a hub: the library's and its own, in the order in which they are made. */
export const hubSchemas: readonly ModuleSchema[] = [
  ...moduleSchemas,
  identitySchema,
  deliveriesSchema,
  eventsSchema,
  fleetSchema,
]
