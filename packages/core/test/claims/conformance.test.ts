import { test } from 'node:test'
import { conformance, memory, memorySequential } from '../../src/testing/index.ts'
import { claimsSuite } from '../../src/testing/suites/claims.ts'

for (const engine of [memory(), memorySequential()]) conformance(engine, { test, suites: [claimsSuite] })
