import { throws as breaks, deepEqual, match, rejects as refuses } from 'node:assert/strict'
import { test } from 'node:test'
import { assert } from '../../src/testing/index.ts'

const { equal, fail, rejects, show, throws } = assert

test('what is equal, and where the first difference is', () => {
  equal({ a: [1, { b: null }], c: undefined }, { a: [1, { b: null }], c: undefined })
  equal(new Uint8Array([1, 2]), new Uint8Array([1, 2]))
  equal(Number.NaN, Number.NaN)
  const differences: [unknown, unknown, RegExp][] = [
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, /first difference at \.a\.1\.b/],
    [{ a: 1 }, { a: 1, b: undefined }, /first difference at \.b/],
    [[1], { 0: 1 }, /expected: \{"0":1\}\n {2}actual: {3}\[1\]/],
    [1, 1n, /expected: "?1n/],
    [0, -0, /not equal/],
    [new Date(0), new Date(0), /not equal/],
    ['1', 1, /expected: 1\n {2}actual: {3}"1"/],
  ]
  for (const [actual, expected, message] of differences) breaks(() => equal(actual, expected), message)
  breaks(() => equal(1, 2, 'the sum'), /^AssertionError: the sum\n/)
})

test('an error must be thrown, and look as it should', async () => {
  const broken = Object.assign(new TypeError('no'), { code: 'X', details: { at: 1 } })
  throws(
    () => {
      throw broken
    },
    { code: 'X', details: { at: 1 } },
  )
  await rejects(Promise.reject(broken), { name: 'TypeError' })
  await rejects(async () => Promise.reject(broken))
  breaks(() => throws(() => 5, { code: 'X' }), /expected \{"code":"X"\} to be thrown; the call gave 5/)
  await refuses(rejects(Promise.resolve(5)), /the promise gave 5/)
  await refuses(rejects(Promise.reject(broken), { code: 'Y' }), /with code "Y"; got "X" in: TypeError: no/)
})

test('a failure keeps the error that it is about', async () => {
  const broken = new Error('inner')
  const failure = await rejects(Promise.reject(broken), { code: 'Y' }).catch((error: Error) => error)
  deepEqual((failure as Error).cause, broken)
})

test('the rest', () => {
  assert.ok(1)
  breaks(() => assert.ok(0), /expected something true; got 0/)
  breaks(() => fail('so'), { name: 'AssertionError', message: 'so' })
  match(
    show({ at: 5n, what: undefined, run() {} }),
    /^\{"at":"5n","what":"undefined","run":"run\(\) \{ ?\}"\}$/,
  )
})
