import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskMessage } from '../../src/events/fingerprint/index.ts'
import { MESSAGE_LIMIT, normalise } from '../../src/events/fingerprint/normalise.ts'
import { hardMessages } from './hard-messages.ts'

type Method = (this: string, ...parameters: never[]) => unknown

/** What a call of a string method costs: one step, or as many as characters were searched. */
const costs: Readonly<
  Record<string, (text: string, parameters: readonly unknown[], result: unknown) => number>
> = {
  charCodeAt: () => 1,
  charAt: () => 1,
  slice: () => 1,
  startsWith: () => 1,
  includes: (text) => text.length,
  indexOf(text, [, from = 0], result) {
    return (result === -1 ? text.length : (result as number)) - (from as number) + 1
  },
  lastIndexOf(text, [, from = text.length], result) {
    return Math.min(from as number, text.length) - (result as number) + 1
  },
}

/** How many steps the work takes in strings. Not time: the same code always counts the same. */
function steps(work: () => unknown): number {
  const prototype = String.prototype as unknown as Record<string, Method>
  const originals = Object.keys(costs).map((name) => [name, prototype[name] as Method] as const)
  let count = 0
  for (const [name, original] of originals) {
    prototype[name] = function (this: string, ...parameters) {
      const result = original.apply(this, parameters)
      count += costs[name]?.(this, parameters, result) ?? 0
      return result
    }
  }
  try {
    work()
  } finally {
    for (const [name, original] of originals) prototype[name] = original
  }
  return count
}

for (const [name, unit] of Object.entries(hardMessages)) {
  test(`steps grow in proportion: ${name}`, () => {
    const of = (length: number) => steps(() => maskMessage(unit.repeat(Math.ceil(length / unit.length))))
    const short = of(MESSAGE_LIMIT / 4)
    const long = of(MESSAGE_LIMIT)
    assert.ok(long <= 5 * short + 500, `${short} steps for a quarter, ${long} for the whole`)
    assert.ok(long <= 12 * MESSAGE_LIMIT, `${long} steps`)
    // What is beyond the limit costs nothing more.
    assert.ok(of(100_000) <= long + 500)
  })
}

test('what is beyond 8,192 code units is not read', () => {
  assert.equal(maskMessage(`${' '.repeat(8191)}xy`), 'x')
  assert.equal(maskMessage(`${' '.repeat(8192)}xy`), '')
})

test('thousands of combining marks are cut before they are normalised, which would take quadratic time', () => {
  assert.equal(normalise(`a${'\u0301'.repeat(8000)}`), `\u00e1${'\u0301'.repeat(7)}`)
})
