export { explore } from './explore.ts'
export { seededRandom } from './random.ts'
export { ExplorationError } from './tally.ts'
export type * from './types.ts'
