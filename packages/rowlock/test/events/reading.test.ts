import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@rowlock/core'
import { splitBody } from '../../src/events/body.ts'
import { readEvent } from '../../src/events/read.ts'
import { sampleOf } from '../../src/events/sample.ts'
import { scrub, scrubText } from '../../src/events/scrub.ts'
import { readTime } from '../../src/events/time.ts'

const RECEIVED = 1_800_000_000_000
const context = { project: { id: 3, windowMs: 60_000 }, receivedAt: RECEIVED, newId: () => 'new' }
const read = (event: unknown) => readEvent(event, context)

function fieldOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof InvalidInputError, String(error))
    return error.details.field
  }
  return 'nothing was refused'
}

test('what an event leaves out has a default', () => {
  const { eventId, source, level, at, title, issue, windowMs } = read({ message: 'x' })
  assert.deepEqual(
    { eventId, source, level, at, title, windowMs },
    {
      eventId: 'new',
      source: 'unknown',
      level: 'error',
      at: RECEIVED,
      title: 'x',
      windowMs: 60_000,
    },
  )
  assert.match(issue, /^3-/)
})

test('levels are known under the names that senders use', () => {
  const levelOf = (level: unknown) => read({ message: 'x', level }).level
  assert.deepEqual(['FATAL', 'critical', 'warn', 'notice', 'trace', null].map(levelOf), [
    'fatal',
    'fatal',
    'warning',
    'info',
    'debug',
    'error',
  ])
  for (const level of ['loud', 3, 'constructor', '__proto__', {}])
    assert.equal(
      fieldOf(() => levelOf(level)),
      'level',
    )
})

test('an exception comes as one, as a list, or in values', () => {
  const error = { type: 'TypeError', value: 'x is not a function' }
  const issues = [error, [error], { values: [error] }].map((exception) => read({ exception }).issue)
  assert.equal(new Set(issues).size, 1)
  assert.equal(read({ exception: error }).title, 'TypeError: x is not a function')
  for (const exception of [5, 'x', [5], { values: 'x' }])
    assert.equal(
      fieldOf(() => read({ exception })),
      'exception',
    )
  assert.ok(read({ exception: { type: 5, stacktrace: { frames: 'x' } }, message: 'x' }))
})

test('an explicit fingerprint is taken as it is', () => {
  assert.equal(read({ message: 'a', fingerprint: 'checkout-down' }).issue, '3-checkout-down')
  assert.equal(read({ message: 'b', fingerprint: ['checkout-down'] }).issue, '3-checkout-down')
  assert.equal(
    fieldOf(() => read({ message: 'b', fingerprint: { a: 1 } })),
    'fingerprint',
  )
})

test('wrong fields are named', () => {
  const wrong: [unknown, string][] = [
    [null, 'event'],
    [[], 'event'],
    ['x', 'event'],
    [{}, 'message'],
    [{ message: ' ' }, 'message'],
    [{ message: 5 }, 'message'],
    [{ message: 'x', source: {} }, 'source'],
    [{ message: 'x', id: 7 }, 'id'],
    [{ message: 'x', id: '' }, 'id'],
    [{ message: 'x', id: 'a'.repeat(201) }, 'id'],
    [{ message: 'x', at: 'soon' }, 'at'],
  ]
  for (const [event, field] of wrong)
    assert.equal(
      fieldOf(() => read(event)),
      field,
      JSON.stringify(event),
    )
})

test('times: ISO and milliseconds; far ahead is now; seconds are refused', () => {
  const times: [unknown, number][] = [
    [undefined, RECEIVED],
    ['2026-12-01T00:00:00Z', 1_796_083_200_000],
    ['2026-12-01 00:00:00', 1_796_083_200_000],
    ['2026-12-01T09:00:00.123456789+09:00', 1_796_083_200_123],
    ['2026-12-01', 1_796_083_200_000],
    [RECEIVED - 5.5, RECEIVED - 6],
    [RECEIVED + 60_000, RECEIVED + 60_000],
    [RECEIVED + 60_001, RECEIVED],
    ['2099-01-01T00:00:00Z', RECEIVED],
  ]
  for (const [given, at] of times) assert.equal(readTime(given, RECEIVED), at, String(given))
  for (const given of [
    '',
    'x',
    'yesterday',
    '2026-13-01T00:00:00Z',
    -1,
    Number.NaN,
    1e20,
    1_800_000_000,
    true,
    {},
  ]) {
    assert.equal(
      fieldOf(() => readTime(given, RECEIVED)),
      'at',
      String(given),
    )
  }
})

test('bodies: broken, empty and endless ones are refused', () => {
  for (const body of ['', '  \n ', '[]', '{', 'nonsense', `[${'1,'.repeat(5_000)}1]`, '1\n'.repeat(5_001)]) {
    assert.equal(
      fieldOf(() => splitBody(body, '')),
      'body',
      body.slice(0, 20),
    )
  }
  assert.deepEqual(splitBody('\uFEFF{"a":1}', 'application/json'), {
    single: true,
    items: [{ event: { a: 1 } }],
  })
})

test('secrets are left out wherever they stand', () => {
  const kept = JSON.stringify(
    scrub({
      user: { Password: 'p1', api_key: 'p2', email: 'a@example.com', tokens: 5, max_tokens: 7 },
      headers: [{ Authorization: 'Bearer p3' }, { cookie: 'p4' }],
      url: 'https://me:p5@example.com/?token=p6&page=2',
      text: 'login with password: p7 failed; Authorization: Bearer p8p8p8p8p8',
      jwt: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.p9p9p9p9',
    }),
  )
  for (let n = 1; n <= 9; n++) assert.ok(!kept.includes(`p${n}`), `p${n} in ${kept}`)
  for (const harmless of ['a@example.com', '"tokens":5', '"max_tokens":7', 'page=2', 'failed'])
    assert.ok(kept.includes(harmless), harmless)
})

test('a sample is bounded in depth, width and size, whatever was sent', () => {
  let deep: unknown = 'bottom'
  for (let n = 0; n < 50_000; n++) deep = [deep]
  assert.ok(sampleOf({ message: 'x', deep }).length < 500)
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]))
  assert.equal(Object.keys(JSON.parse(sampleOf({ wide })).wide).length, 200)
  const large = JSON.parse(
    sampleOf({ message: 'kept', lists: Array.from({ length: 100 }, () => 'x'.repeat(9_000)) }),
  )
  assert.deepEqual([large.message, large.shortened], ['kept', true])
  assert.equal(Object.getPrototypeOf(scrub(JSON.parse('{"__proto__":{"a":1}}'))), null)
})

test('long texts full of near misses do not hang the scrubber', { timeout: 20_000 }, () => {
  for (const text of [
    '9'.repeat(100_000),
    'token='.repeat(20_000),
    'a://b:'.repeat(20_000),
    'eyJ'.repeat(30_000),
    '-----BEGIN '.repeat(9_000),
  ]) {
    assert.ok(scrubText(text).length <= 70_000)
  }
})
