import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FingerprintInput, fingerprint } from '../../src/events/fingerprint/index.ts'

function key(event: FingerprintInput): string {
  return fingerprint(event).key
}

const frames = [{ function: 'charge', module: 'billing.cart', in_app: true }]
const thrown = { values: [{ type: 'TypeError', value: 'x of 5', stacktrace: { frames } }] }

test('explicit, then frames, then exception, then message', () => {
  const message = 'user 17 failed'
  assert.equal(fingerprint({ message, exception: thrown, fingerprint: ['mine'] }).basis, 'explicit')
  assert.equal(fingerprint({ message, exception: thrown }).basis, 'frames')
  assert.equal(
    fingerprint({ message, exception: { values: [{ type: 'TypeError', value: 'x of 5' }] } }).basis,
    'exception',
  )
  assert.equal(fingerprint({ message }).basis, 'message')
})

test('what is masked is told, where it is part of the key', () => {
  assert.equal(fingerprint({ message: 'user 17 failed' }).masked, 'user <num> failed')
  assert.equal(fingerprint({ exception: { values: [{ type: 'E', value: 'x of 5' }] } }).masked, 'x of <num>')
  assert.equal('masked' in fingerprint({ exception: thrown }), false)
})

test('keys of version 1 are the same for ever: they are stored', () => {
  assert.equal(
    key({ source: 'sshd', message: 'Failed password for root from 10.0.0.1' }),
    'ca7a33ba0a461818e0f9943878bd8b0e',
  )
  assert.equal(key({ source: 'billing', exception: thrown }), 'efc88cbeb269cdc07c29564370ef8e2f')
  assert.equal(
    key({ exception: { values: [{ type: 'TypeError', value: 'x of 5' }] } }),
    '2ec0602a96facf7d9c26c696d89f46c3',
  )
  assert.equal(key({}), 'f2054b8ecb578c2e76ab88a507d2a380')
})

test('level, URL, transaction, time and tags are no part of the key', () => {
  const plain = { source: 'web', message: 'boom' }
  const full = {
    ...plain,
    level: 'fatal',
    transaction: '/cart',
    request: { url: 'https://example.com/cart/17' },
    timestamp: 1,
    tags: { a: 'b' },
  }
  assert.equal(key(full), key(plain))
})

test('the source is a part of it, without its numbers', () => {
  assert.notEqual(key({ source: 'billing', message: 'boom' }), key({ source: 'search', message: 'boom' }))
  assert.notEqual(key({ source: 'billing', exception: thrown }), key({ source: 'search', exception: thrown }))
  assert.equal(key({ source: 'worker-3', message: 'boom' }), key({ source: 'worker-14', message: 'boom' }))
  assert.equal(key({ source: null, message: 'boom' }), key({ message: 'boom' }))
})

test('the type of an exception counts beside its frames, its value does not', () => {
  const other = (type: string, value: string) => ({
    exception: { values: [{ type, value, stacktrace: { frames } }] },
  })
  assert.equal(key(other('TypeError', 'a')), key(other('TypeError', 'b')))
  assert.notEqual(key(other('TypeError', 'a')), key(other('RangeError', 'a')))
})

test('type and value of an exception cannot be taken for each other', () => {
  const of = (type: string, value: string) => key({ exception: { values: [{ type, value }] } })
  assert.notEqual(of('a', 'bc'), of('ab', 'c'))
  assert.notEqual(key({ source: 'a', message: 'b' }), key({ source: 'ab', message: '' }))
  assert.notEqual(of('E', 'boom'), key({ message: 'E: boom' }))
})

test('a cause tells exceptions apart, and gives its frames when the outer one has none of ours', () => {
  const chain = (cause: string) => ({
    values: [
      { type: cause, value: 'inner' },
      { type: 'Error', value: 'outer' },
    ],
  })
  assert.notEqual(key({ exception: chain('A') }), key({ exception: chain('B') }))
  const inner = { type: 'A', value: '', stacktrace: { frames } }
  const outer = {
    type: 'B',
    value: '',
    stacktrace: { frames: [{ function: 'f', module: 'm', in_app: false }] },
  }
  assert.equal(fingerprint({ exception: { values: [inner, outer] } }).basis, 'frames')
})

test('an exception without a type, or a made-up one, is a message', () => {
  const stacktrace = { frames }
  for (const value of [
    { value: 'hello 5', stacktrace },
    { type: 'Error', value: 'hello 5', stacktrace, mechanism: { synthetic: true } },
  ]) {
    const made = fingerprint({ exception: { values: [value] } })
    assert.equal(made.basis, 'message')
    assert.equal(made.key, key({ message: 'hello 6' }))
  }
  assert.equal(
    key({ message: 'hello 5', exception: { values: [{ value: 'other', stacktrace }] } }),
    key({ message: 'hello 6' }),
  )
})

test('the template of a message is preferred to its text', () => {
  const event = (formatted: string) => ({
    logentry: { message: 'User %s left', formatted },
    message: formatted,
  })
  assert.equal(key(event('User bob left')), key(event('User ann left')))
  assert.equal(fingerprint(event('User bob left')).masked, 'User %s left')
  assert.equal(fingerprint(event('User bob left')).title, 'User bob left')
  assert.equal(fingerprint({ logentry: { formatted: 'a 5' } }).masked, 'a <num>')
})

test('titles are for people: one line, unmasked, at most 200 characters', () => {
  const title = (event: FingerprintInput) => fingerprint(event).title
  assert.equal(title({ exception: thrown }), 'TypeError: x of 5')
  assert.equal(title({ exception: { values: [{ type: 'TypeError' }] } }), 'TypeError')
  assert.equal(title({ message: '\u001b[31mdisk １ full\u001b[0m\nmore' }), 'disk １ full')
  assert.equal(title({ fingerprint: ['db', 'down'] }), 'db down')
  assert.equal(title({}), '(no message)')
  assert.equal(title({ message: 'x'.repeat(201) }), `${'x'.repeat(199)}…`)
  assert.equal(title({ message: `${'x'.repeat(198)}😀😀` }), `${'x'.repeat(198)}…`)
})

test('broken events have a fingerprint too', () => {
  for (const event of [
    {},
    { message: 5 },
    { exception: [] },
    { exception: { values: [null, {}, { type: 7 }] } },
    { exception: { values: 'x' } },
    {
      exception: {
        values: [{ type: 'E', stacktrace: { frames: [null, {}, { function: 3, filename: {} }] } }],
      },
    },
    { fingerprint: [null, undefined, ''] },
    { logentry: null, exception: null, fingerprint: null },
  ]) {
    assert.match(key(event as FingerprintInput), /^[0-9a-f]{32}$/)
  }
})
