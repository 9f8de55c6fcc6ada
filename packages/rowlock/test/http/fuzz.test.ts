import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHub, rows, type TestHub } from '../hub.ts'

/** A small generator of numbers from 0 up to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const SEED = Number(process.env.ROWLOCK_FUZZ_SEED ?? 20261201)
const ROUNDS = Number(process.env.ROWLOCK_FUZZ_ROUNDS ?? 1500)

const texts = [
  '',
  ' ',
  'x',
  '\0',
  '\ud800',
  '�',
  'NaN',
  '../..',
  "' or 1=1 --",
  '"; drop table rowlock_issues; --',
  '在庫',
  '%',
  '\n',
  '{{ default }}',
  '__proto__',
  '9'.repeat(5_000),
]
const fields = [
  'message',
  'id',
  'at',
  'timestamp',
  'level',
  'source',
  'exception',
  'fingerprint',
  'values',
  'type',
  'value',
  'stacktrace',
  'frames',
  'mechanism',
  'key',
  'ttl',
  'token',
  'project',
  'url',
  'name',
  'scopes',
  'window',
  'for',
  '__proto__',
  'constructor',
  '',
]

function anything(next: () => number, depth = 0): unknown {
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T
  const kind = Math.floor(next() * (depth > 4 ? 6 : 9))
  if (kind === 0) return null
  if (kind === 1) return next() < 0.5
  if (kind === 2) return pick([0, -1, 1.5, 1e21, -1e21, 2 ** 53, 1_800_000_000_000, 1_800_000_000])
  if (kind <= 5) return pick(texts)
  if (kind === 6) return Array.from({ length: Math.floor(next() * 4) }, () => anything(next, depth + 1))
  return Object.fromEntries(
    Array.from({ length: Math.floor(next() * 5) }, () => [pick(fields), anything(next, depth + 1)]),
  )
}

/** JSON of anything, sometimes cut, doubled, or with a character exchanged. */
function body(next: () => number): string {
  const text = JSON.stringify(anything(next)) ?? ''
  const at = Math.floor(next() * text.length)
  const kind = Math.floor(next() * 8)
  if (kind === 0) return text.slice(0, at)
  if (kind === 1)
    return `${text.slice(0, at)}${String.fromCharCode(Math.floor(next() * 256))}${text.slice(at + 1)}`
  if (kind === 2) return `${text}\n${text}`
  return text
}

const requests = [
  'POST /api/events',
  'POST /api/events',
  'POST /api/events',
  'POST /api/claims/acquire',
  'POST /api/claims/renew',
  'POST /api/claims/complete',
  'POST /api/tokens',
  'POST /api/projects',
  'PATCH /api/projects/1',
  'POST /api/destinations',
  'POST /api/issues/1-x/snooze',
  'POST /sign-in',
]

async function fire(here: TestHub, next: () => number): Promise<{ status: number; told: string }> {
  const [method = '', path = ''] = (requests[Math.floor(next() * requests.length)] ?? '').split(' ')
  const text = body(next)
  const type =
    ['application/json', 'application/x-ndjson', 'text/plain', '', 'application/json; charset=x'][
      Math.floor(next() * 5)
    ] ?? ''
  const secret = path === '/api/events' ? here.project.ingestKey : here.adminToken
  const headers = {
    authorization: `Bearer ${secret}`,
    'sec-fetch-site': 'same-origin',
    ...(type === '' ? {} : { 'content-type': type }),
  }
  const { status } = await here.app.request(path, { method, headers, body: text })
  return { status, told: `${method} ${path} ${type} ${text.slice(0, 300)}` }
}

test(`bodies of every shape: never a 5xx, never a hang (seed ${SEED})`, { timeout: 120_000 }, async () => {
  const here = await openHub()
  const next = random(SEED)
  const answers = new Map<number, number>()
  for (let round = 0; round < ROUNDS; round++) {
    // Wrong tokens at the door of the page would close it for the rest.
    if (round % 5 === 0) here.now += 61_000
    const { status, told } = await fire(here, next)
    assert.ok(
      status < 500,
      `seed ${SEED}, round ${round}: ${status} for ${told}\n${here.problems.join('\n')}`,
    )
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }
  for (const status of [200, 400])
    assert.ok((answers.get(status) ?? 0) > ROUNDS / 50, `hardly ever ${status}`)
  assert.deepEqual(rows(here, 'pragma integrity_check'), [{ integrity_check: 'ok' }])
  const [counted] = rows(
    here,
    'select coalesce(sum(count), 0) as sum, (select count(*) from rowlock_seen) as seen from rowlock_issues',
  )
  assert.equal(counted?.sum, counted?.seen)
  assert.equal(counted?.sum, here.hub.metrics.read('events_accepted_total'))
})

test(`queries and paths of every shape (seed ${SEED})`, { timeout: 60_000 }, async () => {
  const here = await openHub()
  const next = random(SEED + 1)
  const pick = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T
  const paths = [
    '/api/issues',
    '/api/deliveries',
    '/api/claims',
    '/api/destinations',
    '/api/projects',
    '/',
    '/api/issues/',
    '/api/deliveries/',
  ]
  const names = [
    'state',
    'source',
    'level',
    'q',
    'cursor',
    'limit',
    'project',
    'prefix',
    'destination',
    'after',
  ]
  for (let round = 0; round < ROUNDS / 2; round++) {
    const query = Array.from(
      { length: Math.floor(next() * 3) },
      () => `${pick(names)}=${encodeURIComponent(pick(texts).toWellFormed())}`,
    ).join('&')
    const tail = next() < 0.3 ? encodeURIComponent(pick(texts).toWellFormed()) : ''
    const raw = next() < 0.1 ? '%E0%A4%A' : ''
    const { status } = await here.app.request(`${pick(paths)}${tail}${raw}?${query}`, {
      headers: { authorization: `Bearer ${here.adminToken}` },
    })
    assert.ok(
      status < 500,
      `seed ${SEED + 1}, round ${round}: ${status} for ${query} ${tail}\n${here.problems.join('\n')}`,
    )
  }
})
