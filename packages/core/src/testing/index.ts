/**
 * The proof kit: what Rowlock is tested with, for SQL code of your own. See README.md beside this
 * file for how to explore it.
 */
export * as assert from './assert.ts'
export * from './conformance.ts'
export * from './engine.ts'
export * from './explore/index.ts'
export * from './history/index.ts'
export * from './memory.ts'
export * from './mutate/index.ts'
export * from './overlap/index.ts'
export { sequential } from './sequential.ts'
export type * from './suite.ts'
export { suites } from './suites/index.ts'
