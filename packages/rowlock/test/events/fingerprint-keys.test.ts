import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysOf } from '../../src/events/fingerprint/fingerprint.ts'
import {
  FINGERPRINT_VERSION,
  type FingerprintInput,
  fingerprint,
  formerKey,
  lookupKeys,
} from '../../src/events/fingerprint/index.ts'
import { type Recipe, recipes } from '../../src/events/fingerprint/recipes.ts'

function key(event: FingerprintInput): string {
  return fingerprint(event).key
}

test('an explicit fingerprint is taken as it is', () => {
  assert.equal(key({ fingerprint: 'db-down', message: 'a' }), 'db-down')
  assert.equal(key({ fingerprint: ['db-down'], source: 'web' }), 'db-down')
  assert.notEqual(key({ fingerprint: ['job 1'] }), key({ fingerprint: ['job 2'] }))
  assert.notEqual(key({ fingerprint: ['a', 'b'] }), key({ fingerprint: ['ab'] }))
  assert.notEqual(key({ fingerprint: ['a', 'bc'] }), key({ fingerprint: ['ab', 'c'] }))
  assert.equal(key({ fingerprint: [5, true] }), key({ fingerprint: ['5', 'true'] }))
  for (const odd of ['a b', 'x'.repeat(101), '支払い', 'a\u0000b', '../x', '']) {
    assert.match(key({ fingerprint: [odd], message: 'm' }), /^[0-9a-f]{32}$/)
  }
})

test('{{ default }} stands for the computed parts', () => {
  const event = (fingerprint: readonly unknown[], message: string) => key({ fingerprint, message })
  assert.equal(event(['{{ default }}'], 'a 1'), key({ message: 'a 2' }))
  assert.equal(event(['{{default}}', 'eu'], 'a 1'), event(['{{ default }}', 'eu'], 'a 2'))
  assert.notEqual(event(['{{ default }}', 'eu'], 'a 1'), event(['{{ default }}', 'us'], 'a 1'))
  assert.notEqual(event(['{{ default }}', 'eu'], 'a 1'), event(['{{ default }}', 'eu'], 'b 1'))
  assert.notEqual(event(['{{ default }}', 'eu'], 'a 1'), event(['eu', '{{ default }}'], 'a 1'))
  assert.equal(fingerprint({ fingerprint: ['{{ default }}'], message: 'a' }).basis, 'message')
  assert.equal(fingerprint({ fingerprint: [], message: 'a' }).basis, 'message')
})

test('a version is named, an unknown one refused', () => {
  assert.equal(fingerprint({ message: 'a' }).version, FINGERPRINT_VERSION)
  assert.deepEqual(fingerprint({ message: 'a' }, { version: 1 }), fingerprint({ message: 'a' }))
  assert.throws(() => fingerprint({ message: 'a' }, { version: 99 }), RangeError)
})

test('with one version there is one key to look up and no former one', () => {
  assert.deepEqual(lookupKeys({ message: 'a' }), [{ key: key({ message: 'a' }), version: 1 }])
  assert.equal(formerKey({ message: 'a' }), undefined)
})

test('after a change of rules the old key is looked up too; what senders chose has not changed', () => {
  const next: Recipe = { version: 2, parts: (event) => ({ basis: 'message', parts: [event.message ?? ''] }) }
  const both = [next, ...recipes]
  const event = { message: 'a 5' }
  const keys = keysOf(event, both)
  assert.deepEqual(
    keys.map(({ version }) => version),
    [2, 1],
  )
  assert.equal(keys[1]?.key, key(event))
  assert.notEqual(keys[0]?.key, key(event))
  assert.deepEqual(keysOf({ ...event, fingerprint: 'mine' }, both), [{ key: 'mine', version: 2 }])
  assert.equal(keysOf({ ...event, fingerprint: ['my', 'own'] }, both).length, 1)
  assert.equal(keysOf({ ...event, fingerprint: ['my', '{{ default }}'] }, both).length, 2)
})
