import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskMessage } from '../../src/events/fingerprint/index.ts'
import { MESSAGE_LIMIT } from '../../src/events/fingerprint/normalise.ts'
import { hardMessages } from './hard-messages.ts'

const counted = ['charCodeAt', 'charAt', 'slice', 'indexOf', 'lastIndexOf', 'includes', 'startsWith'] as const

/** How many calls of string methods the work makes: steps, not time, so that the same code always counts the same. */
function steps(work: () => unknown): number {
  const prototype = String.prototype as unknown as Record<string, (...parameters: unknown[]) => unknown>
  const originals = counted.map((name) => [name, prototype[name]!] as const)
  let count = 0
  for (const [name, original] of originals) {
    prototype[name] = function (this: unknown, ...parameters) {
      count++
      return original.apply(this, parameters)
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
    assert.ok(long <= 40 * MESSAGE_LIMIT, `${long} steps`)
    // What is beyond the limit costs nothing more.
    assert.ok(of(100_000) <= long + 500)
  })
}
