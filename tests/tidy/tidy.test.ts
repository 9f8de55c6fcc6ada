import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isSource, MODULE_PARTS, rules, type SourceFile } from './rules.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const files = sourceFiles()

for (const rule of rules) {
  test(`${rule.name}: ${rule.reason}`, () => {
    assert.ok(rule.check(rule.broken) !== undefined, 'the rule let its own broken example pass')
    const offences = files.flatMap((file) => {
      const found = rule.check(file)
      return found === undefined ? [] : [`${file.path}: ${found}`]
    })
    assert.deepEqual(offences, [])
  })
}

test('there is something to look at', () => {
  assert.ok(files.filter((file) => isSource(file.path)).length > 50)
})

test('every module of the library has the same shape', () => {
  const core = join(root, 'packages/core/src')
  const modules = readdirSync(core).filter((name) => existsSync(join(core, name, 'verbs')))
  assert.ok(modules.length >= 2)
  for (const module of modules) {
    const missing = MODULE_PARTS.filter((part) => !existsSync(join(core, module, part)))
    assert.deepEqual(missing, [], `${module} lacks parts`)
  }
})

function sourceFiles(): SourceFile[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.mjs'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => path !== '' && !path.startsWith('tests/tidy/') && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
