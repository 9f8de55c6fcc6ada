import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOutbox } from '../../src/outbox/index.ts'
import type { Statement } from '../../src/port/driver.ts'
import { memory } from '../../src/testing/index.ts'

const lease = { id: 1, token: 1, attempts: 1 }
const { statements } = createOutbox((await memory().open()).driver)

/** Every statement that looks for rows, and the index that must lead it to them. */
const plans: Record<string, { statement: Statement; by: readonly RegExp[] }> = {
  lease: {
    statement: statements.lease({ limit: 10, ttl: 10 }),
    by: [
      /^SCAN d USING INDEX rowlock_outbox_due$/,
      /^SEARCH n USING INDEX rowlock_outbox_due \(destination>\?\)$/,
      /^SEARCH c USING INDEX rowlock_outbox_due \(destination=\? AND not_before<\?\)$/,
      /^SEARCH e USING INDEX rowlock_outbox_order \(destination=\? AND ordering_key=\? AND id<\?\)$/,
      /^SEARCH l USING COVERING INDEX rowlock_outbox_leased \(destination=\? AND lease_until>\?\)$/,
      /^SEARCH o USING INTEGER PRIMARY KEY/,
    ],
  },
  sent: { statement: statements.sent(lease), by: [/INTEGER PRIMARY KEY/] },
  retry: { statement: statements.retry(lease, { error: '' }), by: [/INTEGER PRIMARY KEY/] },
  dead: { statement: statements.dead(lease, { error: '' }), by: [/INTEGER PRIMARY KEY/] },
  cancel: { statement: statements.cancel({ dedupKeys: ['x'] }), by: [/rowlock_outbox_dedup/] },
  'cancel an ordering key': {
    statement: statements.cancel({ destination: 'a', orderingKey: 'k' }),
    by: [/rowlock_outbox_order/],
  },
  redrive: { statement: statements.redrive({ dedupKeys: ['x'] }), by: [/rowlock_outbox_dedup/] },
  'redrive a destination': {
    statement: statements.redrive({ destination: 'a' }),
    by: [/rowlock_outbox_dead/],
  },
  sweep: { statement: statements.sweep(), by: [/rowlock_outbox_finished \(finished_at<\?\)/] },
}

for (const [name, { statement, by }] of Object.entries(plans)) {
  test(`${name} never walks through the history (SQLite)`, async () => {
    const { driver, dispose } = await memory().open()
    await createOutbox(driver).install()
    const rows = await driver.execute({ ...statement, text: `explain query plan ${statement.text}` })
    await dispose()
    const steps = rows.map(({ detail }) => String(detail))
    for (const wanted of by)
      assert.ok(
        steps.some((step) => wanted.test(step)),
        `no ${wanted} in\n${steps.join('\n')}`,
      )
    // The only walk is the one to the first destination, which takes one row.
    const walks = steps.filter(
      (step) => /^SCAN (o|c|n|l|e|x|rowlock_outbox)\b/.test(step) && !/dead/.test(step),
    )
    assert.deepEqual(
      walks.filter((step) => step !== 'SCAN c'),
      [],
      steps.join('\n'),
    )
  })
}
