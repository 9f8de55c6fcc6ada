import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memory } from '../../src/testing/index.ts'
import { compare } from './model/compare.ts'
import { beginnings, operations } from './model/operations.ts'

for (const [index, beginning] of beginnings.entries()) {
  test(`the SQL does what the model does: every three calls, from beginning ${index}`, async (context) => {
    const given = { engine: memory(), beginnings: [beginning], operations, depth: 3 }
    const { sequences, difference } = await compare(given)
    assert.equal(difference && `${difference.sequence}: ${difference.error}`, undefined)
    context.diagnostic(`${sequences} sequences`)
  })
}
