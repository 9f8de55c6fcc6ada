export { ExplorationError, explore } from './explore.ts'
export { seededRandom } from './random.ts'
export type * from './types.ts'
