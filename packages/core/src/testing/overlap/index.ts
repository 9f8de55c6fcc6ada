export { overlap } from './overlap.ts'
export type { OverlapClient, OverlapOptions, OverlapReport, OverlapResult } from './types.ts'
