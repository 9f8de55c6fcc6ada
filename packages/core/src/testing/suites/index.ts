import type { Suite } from '../suite.ts'
import { installSuite } from './install.ts'

/** Every suite, in the order in which things stand on one another. */
export const suites: readonly Suite[] = [installSuite]
