import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memory } from '../../src/testing/index.ts'
import { compare } from './model/compare.ts'
import { beginnings, few, operations } from './model/operations.ts'

const tried = [
  { what: 'every two calls, from every beginning', depth: 2, operations, beginnings },
  {
    what: 'every three of the few, from the first beginnings',
    depth: 3,
    operations: few,
    beginnings: beginnings.slice(0, 2),
  },
]

for (const { what, ...given } of tried) {
  test(`the SQL does what the model does: ${what}`, async (context) => {
    const { sequences, difference } = await compare({ engine: memory(), ...given })
    assert.equal(difference && `${difference.sequence}: ${difference.error}`, undefined)
    assert.ok(sequences > 4000, 'fewer sequences than there are')
    context.diagnostic(`${sequences} sequences`)
  })
}
