import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson, fingerprintOf } from '../../src/claims/input/canonical.ts'
import { sha256 } from '../../src/claims/input/hash.ts'
import { exactKeys, scopedKeys } from '../../src/claims/input/keys.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((each) => !each.includes('\0'))
const any = fc.oneof(text, fc.string({ unit: 'binary', minLength: 1 }).filter(storable))
const long = fc
  .tuple(any, fc.integer({ min: 100, max: 600 }))
  .map(([one, times]) => one.repeat(times).slice(0, 4000))
  .filter(storable)
const key = fc.oneof(any, long)
const scope = fc.option(fc.string({ minLength: 1, maxLength: 20 }).filter(storable), { nil: undefined })

function storable(each: string): boolean {
  return each !== '' && !each.includes('\0') && each.isWellFormed()
}

function bytes(each: string): Buffer {
  return Buffer.from(each)
}

test('our SHA-256 is SHA-256', () => {
  fc.assert(
    fc.property(fc.oneof(text, long), (each) => {
      assert.equal(sha256(each), createHash('sha256').update(each).digest('hex'))
    }),
  )
})

test('two keys are stored alike only when scope and key are the same', () => {
  fc.assert(
    fc.property(scope, key, scope, key, (oneScope, one, otherScope, other) => {
      const same = oneScope === otherScope && one === other
      assert.equal(scopedKeys(oneScope).store(one) === scopedKeys(otherScope).store(other), same)
    }),
  )
  fc.assert(
    fc.property(scope, long, scope, (oneScope, one, otherScope) => {
      const stored = scopedKeys(oneScope).store(one)
      assert.equal(scopedKeys(oneScope).store(`${one}x`) === stored, false)
      assert.equal(scopedKeys(otherScope).store(one) === stored, oneScope === otherScope)
      // A key that somebody writes as a stored one is stored as another.
      assert.notEqual(scopedKeys(otherScope).store(stored), stored.length > one.length ? stored : '')
    }),
  )
})

test('stored keys stay short, begin as the key does, and short ones are shown as they were', () => {
  fc.assert(
    fc.property(scope, key, (where, each) => {
      const stored = scopedKeys(where).store(each)
      assert.ok(bytes(stored).length <= 517)
      const shown = scopedKeys(undefined).show(stored)
      assert.equal(shown.scope, where ?? null)
      if (bytes(stored).length <= 512) assert.equal(shown.key, each)
      else assert.ok(each.startsWith(shown.key.slice(0, 50)))
    }),
  )
})

test('the range of a prefix holds exactly the keys that begin with it, in byte order', () => {
  fc.assert(
    fc.property(scope, any, any, (where, prefix, other) => {
      const keys = scopedKeys(where)
      const { from, until } = keys.range(prefix)
      const within = (each: string) => {
        const stored = bytes(keys.store(each))
        return stored.compare(bytes(from)) >= 0 && (until === null || stored.compare(bytes(until)) < 0)
      }
      assert.ok(within(prefix))
      if (bytes(prefix + other).length < 400) assert.ok(within(prefix + other))
      assert.equal(within(other), other.startsWith(prefix))
    }),
  )
})

test("a table of one's own keeps keys exactly, or refuses them", () => {
  fc.assert(fc.property(any, (each) => assert.equal(exactKeys.store(each), each)))
  assert.throws(() => exactKeys.store('é'.repeat(1025)), { code: 'INVALID_INPUT' })
})

test('the order of members makes no difference to a payload, everything else does', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), fc.infiniteStream(fc.nat()), (value, draws) => {
      const shuffled = shuffle(value, () => draws.next().value as number)
      assert.equal(canonicalJson('payload', shuffled), canonicalJson('payload', value))
      assert.deepEqual(JSON.parse(canonicalJson('payload', value)), JSON.parse(JSON.stringify(value)))
    }),
  )
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      const parsed = [one, other].map((each) => JSON.parse(JSON.stringify(each)))
      const same = isEqual(parsed[0], parsed[1])
      assert.equal(fingerprintOf(one) === fingerprintOf(other), same)
    }),
  )
})

test('payloads that JSON cannot carry are refused', () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  for (const value of [1n, circle, () => 1, Symbol('x'), { deep: [1n] }]) {
    assert.throws(() => canonicalJson('payload', value), { code: 'INVALID_INPUT' })
  }
  assert.equal(fingerprintOf(undefined), null)
})

function shuffle(value: unknown, draw: () => number): unknown {
  if (Array.isArray(value)) return value.map((each) => shuffle(each, draw))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, each]) => ({ name, each, at: draw() }))
  members.sort((one, two) => one.at - two.at)
  const shuffled = Object.fromEntries(members.map(({ name, each }) => [name, shuffle(each, draw)]))
  return shuffled
}

function isEqual(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other)
    return true
  } catch {
    return false
  }
}
