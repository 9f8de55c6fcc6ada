import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from './model/compare.ts'
import { fewer, operations } from './model/operations.ts'

const KINDS = ['won first', 'won again', 'held', 'done', 'lost']

const tried = [
  { what: 'every two calls', operations, depth: 2, atLeast: 5000, options: {} },
  { what: 'every three calls about one key', operations: fewer, depth: 3, atLeast: 35_000, options: {} },
  {
    what: 'every three calls about one key, looking first',
    operations: fewer,
    depth: 3,
    atLeast: 35_000,
    options: { lookFirst: true },
  },
]

for (const { what, atLeast, ...given } of tried) {
  test(`the SQL does what the model does: ${what}`, async (context) => {
    const { sequences, difference, seen } = await compare(given)
    assert.equal(difference && `${difference.sequence}: ${difference.error}`, undefined)
    assert.ok(sequences > atLeast, `only ${sequences} sequences`)
    for (const kind of given.depth < 3 ? ['won first', 'held', 'lost'] : KINDS) {
      assert.ok(seen[kind], `no answer was ever "${kind}"`)
    }
    context.diagnostic(`${sequences} sequences: ${JSON.stringify(seen)}`)
  })
}
