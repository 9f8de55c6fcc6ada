import assert from 'node:assert/strict'
import type { Client } from './client.ts'

type Json = Record<string, unknown>

const fingerprints = ({ issues }: Json) =>
  (issues as { fingerprint: string }[]).map(({ fingerprint }) => fingerprint)

/** What a hub does, on whatever it stands: run once for each engine. Needs a hub that nothing was sent to, and `url`, where its notices may go. */
export async function scenario({ ask, send }: Client, url = 'https://hooks.example.com/a'): Promise<void> {
  // Events: one, several, again, wrong, odd.
  const first = await send({ id: 'one', fingerprint: 'stock', source: 'shop', message: 'stock ran out 在庫' })
  assert.deepEqual(first, {
    status: 200,
    body: { accepted: true, id: 'one', duplicate: false, issue: '1-stock', won: true, count: 1 },
  })
  const more = await send([
    { id: 'one', fingerprint: 'stock', message: 'x' },
    { id: 'two', fingerprint: 'stock', message: 'a\0b \ud800' },
    { id: 'three', fingerprint: 'disk', source: 'db', level: 'fatal', message: 'Disk 99% full' },
    { id: 'four', level: 'loud', message: 'x' },
  ])
  assert.deepEqual(
    [more.body.accepted, more.body.duplicates, more.body.rejected, more.body.won],
    [3, 1, 1, 1],
  )

  // Issues: lists, filters, one, its states.
  const listed = await ask('GET /api/issues')
  assert.deepEqual(fingerprints(listed.body).sort(), ['disk', 'stock'])
  for (const [query, found] of [
    ['level=fatal', ['disk']],
    ['source=shop', ['stock']],
    ['q=DISK+99%25', ['disk']],
    ['state=open&project=1&limit=1', 1],
    ['state=ignored', []],
  ] as const) {
    const { status, body } = await ask(`GET /api/issues?${query}`)
    assert.equal(status, 200, query)
    if (typeof found === 'number') assert.equal(fingerprints(body).length, found, query)
    else assert.deepEqual(fingerprints(body), found, query)
  }
  const page = await ask('GET /api/issues?limit=1')
  const rest = await ask(`GET /api/issues?limit=1&cursor=${page.body.next}`)
  assert.deepEqual([...fingerprints(page.body), ...fingerprints(rest.body)].sort(), ['disk', 'stock'])
  const stock = (await ask('GET /api/issues/1-stock')).body
  assert.equal(stock.count, 2)
  assert.deepEqual(
    (stock.hours as { count: number }[]).map(({ count }) => count),
    [2],
  )
  assert.deepEqual(
    (stock.samples as { kind: string; id: string }[]).map(({ kind, id }) => `${kind} ${id}`).sort(),
    ['first one', 'latest one', 'latest two'],
  )
  for (const [action, state] of [
    ['ignore', 'ignored'],
    ['reopen', 'open'],
    ['resolve', 'resolved'],
    ['reopen', 'open'],
  ]) {
    assert.equal((await ask(`POST /api/issues/1-disk/${action}`)).body.state, state)
  }
  assert.equal((await ask('POST /api/issues/1-disk/snooze', { for: '1h' })).body.state, 'snoozed')

  // More issues in one request than D1 takes parameters, new and known.
  const many = Array.from({ length: 250 }, (_, n) => ({
    id: `many-${n}`,
    fingerprint: `many-${n}`,
    message: 'x',
  }))
  assert.equal((await send(many)).body.won, 250)
  const known = await send(many)
  assert.deepEqual([known.body.duplicates, known.body.won], [250, 0])
  assert.ok((known.body.items as { count: number }[]).every(({ count }) => count === 1))
  assert.deepEqual((await ask('GET /api/rejected?project=1')).body, { rejected: [], next: null })

  // Claims.
  const won = await ask('POST /api/claims/acquire', { key: 'nightly', ttl: '1h', id: 'a' })
  assert.equal(won.body.won, true)
  assert.equal(
    (await ask('POST /api/claims/acquire', { key: 'nightly', ttl: '1h', id: 'b' })).body.reason,
    'held',
  )
  assert.equal(
    (await ask('POST /api/claims/complete', { key: 'nightly', token: won.body.token, result: [1] })).body
      .completed,
    true,
  )
  assert.deepEqual(
    ((await ask('GET /api/claims')).body.claims as { state: string }[]).map(({ state }) => state),
    ['done'],
  )

  // Identity.
  assert.equal((await ask('POST /api/tokens', { name: 'ci', scopes: ['write'], project: 1 })).status, 201)
  assert.equal((await ask('POST /api/tokens', { name: 'ci', scopes: ['write'] })).status, 409)
  assert.equal((await ask('DELETE /api/tokens/ci')).status, 200)
  assert.equal((await ask('POST /api/projects', { name: 'second' })).status, 201)
  assert.equal((await ask('PATCH /api/projects/1', { window: '2h' })).body.windowMs, 7_200_000)

  // Destinations, and a win on its way to one.
  const added = await ask('POST /api/destinations', { project: 1, url })
  assert.equal(added.status, 201)
  assert.equal((await send({ fingerprint: 'printer', message: 'paper jam' })).body.won, true)
  const { deliveries } = (await ask('GET /api/deliveries')).body as { deliveries: Json[] }
  assert.deepEqual(
    deliveries.map(({ topic, destination }) => [topic, destination]),
    [['issue.won', added.body.id]],
  )
  const payload = deliveries[0]?.payload as Json
  assert.deepEqual(
    [payload.issue, payload.count, payload.newEvents, payload.title],
    ['1-printer', 1, 1, 'paper jam'],
  )
  assert.equal(
    (await ask(`PATCH /api/destinations/${added.body.id}`, { enabled: false })).body.enabled,
    false,
  )
  assert.equal((await ask(`DELETE /api/destinations/${added.body.id}`)).status, 200)
  assert.equal((await ask('GET /readyz')).status, 200)
}
