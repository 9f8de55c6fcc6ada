import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { killAll, memory, survivorsIn } from '../../src/testing/index.ts'
import { outboxSuite } from '../../src/testing/suites/outbox.ts'
import { outboxModelCheck, suiteChecks } from './checks.ts'

const survivors = survivorsIn(readFileSync(new URL('outbox-survivors.md', import.meta.url), 'utf8'))

test('every mistake in a statement of the outbox is noticed, or explained', async (context) => {
  const report = await killAll({
    engine: memory(),
    checks: [outboxModelCheck, ...suiteChecks(outboxSuite)],
    only: ({ name }) => name.startsWith('outbox.'),
    survivors,
  })
  assert.ok(report.mutants > 250, `only ${report.mutants} mutants`)
  context.diagnostic(
    `${report.mutants} mutants, ${report.killed} killed, ${report.survivors.length} explained`,
  )
  context.diagnostic(`${report.refused} of the killed were refused by the database itself`)
})
