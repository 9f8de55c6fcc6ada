import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from './model/compare.ts'
import { operations } from './model/operations.ts'

test('the SQL does what the model does: every three calls', async (context) => {
  const { sequences, difference } = await compare({ operations, depth: 3 })
  assert.equal(difference && `${difference.sequence}: ${difference.error}`, undefined)
  assert.ok(sequences > 370_000, `only ${sequences} sequences`)
  context.diagnostic(`${sequences} sequences`)
})
