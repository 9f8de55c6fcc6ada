import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../examples/', import.meta.url))
const examples = [...readdirSync(folder).filter((name) => name.endsWith('.ts')), 'stories/run.ts']

for (const name of examples) {
  test(`examples/${name} prints what it says`, () => {
    const [, expected] = /\/\* Output:\n([\s\S]*?)\*\/\s*$/.exec(readFileSync(folder + name, 'utf8')) ?? []
    assert.ok(expected !== undefined, 'the example does not end with the output that is expected')
    const run = spawnSync(process.execPath, ['--conditions=rowlock-source', folder + name], {
      encoding: 'utf8',
    })
    assert.equal(run.status, 0, run.stderr)
    assert.equal(run.stdout.trim(), expected.trim())
  })
}

test('there are examples', () => {
  assert.ok(examples.length >= 7)
})
