import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { killAll, memory, survivorsIn } from '../../src/testing/index.ts'
import { livenessSuite } from '../../src/testing/suites/liveness.ts'
import { livenessModelCheck, suiteChecks } from './checks.ts'

const survivors = survivorsIn(readFileSync(new URL('liveness-survivors.md', import.meta.url), 'utf8'))

test('every mistake in a statement of liveness is noticed, or explained', async (context) => {
  const report = await killAll({
    engine: memory(),
    checks: [livenessModelCheck, ...suiteChecks(livenessSuite)],
    only: ({ name }) => name.startsWith('liveness.'),
    survivors,
  })
  assert.ok(report.mutants > 250, `only ${report.mutants} mutants`)
  context.diagnostic(
    `${report.mutants} mutants, ${report.killed} killed, ${report.survivors.length} explained`,
  )
  context.diagnostic(`${report.refused} of the killed were refused by the database itself`)
})
