import type { Suite } from '../suite.ts'
import { batchCases } from './driver/batch.ts'
import { builtCases } from './driver/built.ts'
import { dialectCases } from './driver/dialect.ts'
import { executeCases } from './driver/execute.ts'
import { faultCases } from './driver/faults.ts'
import { raceCases } from './driver/races.ts'

/** What every driver must show: the port's promise, its errors, its dialect, and what is built on it. */
export const driverSuite: Suite = {
  name: 'driver',
  cases: [...executeCases, ...batchCases, ...raceCases, ...faultCases, ...dialectCases, ...builtCases],
}
