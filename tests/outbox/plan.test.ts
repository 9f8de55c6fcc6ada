import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOutbox } from '@rowlock/core/outbox'
import { postgresEngine } from '../conformance/postgres-engine.ts'
import { testPostgres } from '../engines/postgres.ts'

const HISTORY = 20_000
const DUE = 20

const server = await testPostgres()
const { engine, drop } = await postgresEngine(server)
const { driver, dispose } = await engine.open()
const outbox = createOutbox(driver, { random: () => 0 })
await outbox.install()
const run = (text: string) => driver.execute({ name: 'test', text, values: [] })
await run(`insert into rowlock_outbox
    (topic, destination, dedup_key, ordering_key, payload, not_before, state, give_up_at, created_at, finished_at)
  select 't', 'd' || n % 3, 'old' || n, 'k' || n % 50, '1', n, 'sent', n, n, n from generate_series(1, ${HISTORY}) n`)
await run(`insert into rowlock_outbox
    (topic, destination, dedup_key, ordering_key, payload, not_before, state, give_up_at, created_at)
  select 't', 'd' || n % 3, 'new' || n, 'n' || n, '1', n, 'pending', n, n from generate_series(1, ${DUE}) n`)
await run('analyze rowlock_outbox')

after(async () => {
  await dispose()
  await drop()
  await server.stop()
})

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

const lease = { id: HISTORY + 1, token: 1, attempts: 1 }
const statements = {
  lease: outbox.statements.lease({ limit: 10, ttl: '1m', now: HISTORY }),
  sent: outbox.statements.sent(lease),
  retry: outbox.statements.retry(lease, { error: '' }),
  dead: outbox.statements.dead(lease, { error: '' }),
  cancel: outbox.statements.cancel({ dedupKeys: ['new1'] }),
  'cancel an ordering key': outbox.statements.cancel({ destination: 'd1', orderingKey: 'n1' }),
  redrive: outbox.statements.redrive({ destination: 'd1' }),
  sweep: outbox.statements.sweep({ retention: 1, step: 10, now: 20 }),
}

for (const [name, statement] of Object.entries(statements)) {
  test(`${name} reads what is due and not ${HISTORY} rows of history (PostgreSQL)`, async (context) => {
    const text = `explain (analyze, format json) ${statement.text}`
    const [row] = await driver.execute({ ...statement, text })
    const [{ Plan }] = row!['QUERY PLAN'] as [{ Plan: Node }]
    const reads = nodesOf(Plan).filter((node) => node['Relation Name'] === 'rowlock_outbox')
    const rows = reads.map(
      (node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
    )
    const total = rows.reduce((sum, each) => sum + each, 0)
    context.diagnostic(`${Math.round(total)} rows read`)
    assert.ok(total < 20 * DUE, `${total} rows read: ${JSON.stringify(Plan, null, 1)}`)
    assert.ok(!reads.some((node) => node['Node Type'] === 'Seq Scan'), 'a Seq Scan')
  })
}
