import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as database from './tidy/database.ts'
import * as imports from './tidy/imports.ts'
import { problems, type Rule, staleExceptions } from './tidy/rule.ts'
import * as shape from './tidy/shape.ts'
import { readTree } from './tidy/tree.ts'
import * as words from './tidy/words.ts'

const rules: readonly Rule[] = [imports, database, shape, words].flatMap((group) => Object.values(group))
const tree = readTree()

for (const rule of rules) {
  describe(rule.name, () => {
    test('holds everywhere', () => {
      assert.deepEqual(problems(rule, tree), [], rule.reason)
    })

    test('has something to look at, and no exception that nothing needs', () => {
      assert.ok([...tree.keys()].some((path) => rule.files.test(path)))
      assert.deepEqual(staleExceptions(rule, tree), [])
    })

    test('finds what is wrong and leaves alone what is right', () => {
      assert.ok(rule.bad.length > 0)
      for (const example of rule.bad)
        assert.notDeepEqual(problems(rule, new Map(Object.entries(example))), [], JSON.stringify(example))
      for (const example of rule.good)
        assert.deepEqual(problems(rule, new Map(Object.entries(example))), [], JSON.stringify(example))
    })
  })
}
