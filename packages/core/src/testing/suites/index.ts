import type { Suite } from '../suite.ts'
import { claimsSuite } from './claims.ts'
import { driverSuite } from './driver.ts'
import { installSuite } from './install.ts'
import { livenessSuite } from './liveness.ts'
import { outboxSuite } from './outbox.ts'

/** Every suite, in the order in which things stand on one another. */
export const suites: readonly Suite[] = [driverSuite, installSuite, claimsSuite, outboxSuite, livenessSuite]
