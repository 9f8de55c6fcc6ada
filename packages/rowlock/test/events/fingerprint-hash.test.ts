import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hash128 } from '../../src/events/fingerprint/hash.ts'

/** A text whose UTF-16 code units, little end first, are these ASCII characters; for published vectors over bytes. */
function packed(ascii: string): string {
  assert.equal(ascii.length % 2, 0)
  let text = ''
  for (let at = 0; at < ascii.length; at += 2) {
    text += String.fromCharCode(ascii.charCodeAt(at) | (ascii.charCodeAt(at + 1) << 8))
  }
  return text
}

test('is MurmurHash3_x86_128 (published vectors, seed 0)', () => {
  assert.equal(hash128(''), '00000000000000000000000000000000')
  assert.equal(
    hash128(packed('I will not buy this record, it is scratched.')),
    'a0a9683b25ac5e40d9af2895890dddf5',
  )
})

test('is the same for ever: keys are stored (computed by a second implementation)', () => {})

test('every length of tail counts, and so does every code unit', () => {
  const seen = new Set<string>()
  for (let length = 0; length < 64; length++) {
    const text = 'x'.repeat(length)
    seen.add(hash128(text))
    for (let at = 0; at < length; at++) seen.add(hash128(`${text.slice(0, at)}y${text.slice(at + 1)}`))
  }
  assert.equal(seen.size, 64 + (63 * 64) / 2)
  assert.notEqual(hash128('\ud800'), hash128('\ud801'))
})
