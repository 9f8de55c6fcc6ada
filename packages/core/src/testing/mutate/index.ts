export * from './kill.ts'
export { type Mutant, type MutantOptions, mutants } from './mutants.ts'
export { type Recording, recorded } from './record.ts'
