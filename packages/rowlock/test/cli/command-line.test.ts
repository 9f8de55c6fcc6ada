import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { Command } from 'commander'
import { catalogue } from '../../src/cli/catalogue.ts'
import { version } from '../../src/cli/version.ts'
import { documents, rowlock } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'rowlock-cli-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const db = join(folder, 'rowlock.db')

describe('help', () => {
  test('without a command it shows all of them, and the exit codes', async () => {
    const { exitCode, out } = await rowlock([])
    assert.equal(exitCode, 64)
    for (const { name } of catalogue) assert.match(out, new RegExp(`^  ${name} `, 'm'))
    assert.match(out, /Exit codes:/)
    assert.equal((await rowlock(['--help'])).exitCode, 0)
  })

  for (const { name, load } of catalogue) {
    test(`${name} tells what it does, with examples, at every level`, async () => {
      const command = new Command(name)
      const define = await load()
      define(command, {} as never)
      for (const { path } of leaves(command, [name])) {
        const { exitCode, out } = await rowlock([...path, '--help'])
        assert.equal(exitCode, 0)
        assert.match(out, new RegExp(`^Usage: rowlock ${path.join(' ')}`))
        assert.match(out, /\nExamples:\n {2}\S/, path.join(' '))
        assert.match(out, /Options of every command:/)
      }
    })
  }

  test('help COMMAND is COMMAND --help', async () => {
    assert.equal((await rowlock(['help', 'run'])).out, (await rowlock(['run', '--help'])).out)
  })
})

function leaves(command: Command, path: readonly string[]): { path: readonly string[] }[] {
  if (command.commands.length === 0) return [{ path }]
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]))
}

describe('a wrong command line', () => {
  const wrong: readonly (readonly [words: readonly string[], code: number, said: RegExp])[] = [
    [['isues'], 64, /unknown command 'isues'\n {2}try: issues \(did you mean that\?\)/],
    [['issues', 'list', '--sate', 'open'], 64, /--sate'\n {2}try: --state \(did you mean that\?\)/],
    [
      ['issues', '--state', 'openn'],
      64,
      /--state is "openn"\n {2}accepted: open, resolved, ignored, snoozed/,
    ],
    [['issues', '--limit', 'many'], 64, /--limit is "many"\n {2}accepted: a whole number from 1/],
    [['issues', '--limit', '1', '--all'], 64, /contradict/],
    [['issues', '--url', 'hub.example'], 64, /--url is "hub.example"\n {2}accepted: a hub’s address/],
    [['issues', '--url', 'http://hub.example', '--db', db], 64, /two different places/],
    [
      ['issues', '--db', 'mysql://x'],
      64,
      /--db begins with mysql:\/\/\n {2}accepted: a path of a SQLite file/,
    ],
    [['serve', '--port', '99999'], 64, /--port is "99999"\n {2}accepted: a whole number from 0 to 65535/],
    [['run', 'x', '--', 'true'], 64, /required option '--ttl/],
    [['run', 'x', '--ttl', '-5m', '--', 'true'], 64, /--ttl is "-5m"/],
    [['run', 'x', '--ttl', '1h', 'true'], 64, /without -- in front/],
    [['run', 'x', '--ttl', '1h', '--if-held', '300', '--', 'true'], 64, /--if-held is "300"/],
    [['claims', 'release', 'x', '--db', db], 64, /may be in use/],
    [['claims', 'show', 'x', '--db', db], 66, /there is no claim on "x"/],
    [['issues', 'show', 'x', '--db', db], 66, /issue x was not found/],
    [['token', 'add', 'x', '--scopes', 'all', '--db', db], 64, /scopes holds "all"/],
    [['token', 'reset', '--url', 'http://hub.example'], 64, /where the database is/],
    [['project', 'rotate', 'nope', '--db', db], 66, /there is no project "nope"/],
    [['ingest', join(folder, 'nope.log')], 66, /nope\.log does not exist/],
    [['ingest', folder], 66, /is a folder/],
    [['ingest', '--db', db, '--give-up-after', 'soon', '-'], 64, /--give-up-after is "soon"/],
    [['config', '--config', join(folder, 'nope.json')], 66, /nope\.json does not exist/],
    [['doctor', '--db', join(folder, 'nope.db')], 66, /there is no database/],
    [['completion', 'tcsh'], 64, /accepted: bash, zsh, fish/],
    [['issues', '--url', 'http://127.0.0.1:1'], 69, /could not be asked/],
    [['issues', '--db', folder], 69, /cannot be opened/],
  ]
  for (const [words, code, said] of wrong) {
    test(words.join(' ').replaceAll(folder, '…'), async () => {
      const { exitCode, out, err } = await rowlock(words)
      assert.match(err, said)
      assert.equal(exitCode, code)
      assert.equal(out, '')
      assert.doesNotMatch(err, /\n\s+at /)
    })
  }

  test('with --json it is a document too, and with --debug it tells where it comes from', async () => {
    const { err } = await rowlock(['issues', '--db', 'mysql://x', '--json'])
    const [document] = documents(err)
    const { code, exitCode } = document!.error as Record<string, unknown>
    assert.deepEqual([code, exitCode], ['INVALID_INPUT', 64])
    assert.match((await rowlock(['issues', '--db', 'mysql://x', '--debug'])).err, /\n\s+at /)
  })
})

describe('which database or hub', () => {
  const said = async (words: readonly string[], environment: Record<string, string>) =>
    (await rowlock([...words, 'claims'], { environment })).err

  test('is said on standard error, with who named it', async () => {
    assert.match(await said(['--db', db], {}), /^database .*rowlock\.db$/m)
    assert.match(await said([], { DATABASE_URL: db }), /^database .*rowlock\.db \(DATABASE_URL\)$/m)
    assert.match(
      await said([], { DATABASE_URL: db, ROWLOCK_URL: 'http://127.0.0.1:1/' }),
      /^hub http:\/\/127\.0\.0\.1:1 \(ROWLOCK_URL\)$/m,
    )
    assert.match(await said(['--db', db], { ROWLOCK_URL: 'http://127.0.0.1:1' }), /^database .*rowlock\.db$/m)
  })

  test('with --json it is a document like all others', async () => {
    const { err } = await rowlock(['claims', '--json', '--db', db])
    assert.deepEqual(documents(err), [{ database: db, from: '--db' }])
  })

  test('a password is never shown', async () => {
    const { err } = await rowlock(['claims', '--db', 'postgres://app:geheim@127.0.0.1:1/ops'])
    assert.match(err, /postgres:\/\/app:\*\*\*@127\.0\.0\.1:1\/ops/)
    assert.doesNotMatch(err, /geheim/)
  })
})

test('config tells each value and where it comes from', async () => {
  const file = join(folder, 'settings.json')
  writeFileSync(file, '{"window": "15m"}')
  const { out } = await rowlock(['config', '--json', '--config', file, '--host', '0.0.0.0'], {
    environment: { PORT: '8080' },
  })
  const told = new Map(documents(out).map(({ name, value, origin }) => [name, [value, origin]]))
  assert.deepEqual(told.get('port'), [8080, 'PORT'])
  assert.deepEqual(told.get('host'), ['0.0.0.0', '--host'])
  assert.deepEqual(told.get('window'), [900_000, file])
  assert.deepEqual(told.get('db'), ['./data/rowlock.db', 'default'])
})

test('version', async () => {
  const [versions] = documents((await rowlock(['version', '--json'])).out)
  assert.deepEqual(Object.keys(versions ?? {}), ['rowlock', 'node', 'sqlite', 'pg', 'platform'])
  assert.equal((await rowlock(['--version'])).out, `${version}\n`)
})

describe('completion', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    test(`${shell}: every command and its options`, async () => {
      const { out } = await rowlock(['completion', shell])
      for (const { name } of catalogue) assert.ok(out.includes(name), name)
      for (const word of ['on-failure', 'min-level', 'redrive', 'allow-private-destinations'])
        assert.ok(out.includes(word), word)
    })
  }

  const bash = spawnSync('bash', ['--version']).status === 0
  test('bash offers what fits', { skip: bash ? false : 'there is no bash here' }, async () => {
    const { out } = await rowlock(['completion', 'bash'])
    const offered = (...words: readonly string[]) => {
      const line = words.map((word) => `'${word}'`).join(' ')
      const script = `${out}\nCOMP_WORDS=(rowlock ${line}); COMP_CWORD=${words.length}; _rowlock; printf '%s\\n' "\${COMPREPLY[@]}"`
      return spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n')
    }
    assert.deepEqual(offered('is'), ['issues'])
    assert.deepEqual(offered('issues', 're'), ['resolve', 'reopen'])
    assert.deepEqual(offered('--db', 'x', 'issues', 'list', '--state', 'o'), ['open'])
    assert.deepEqual(offered('completion', ''), ['bash', 'zsh', 'fish'].concat(offered('completion', '-')))
    assert.ok(offered('run', 'x', '--').includes('--on-failure'))
    assert.ok(offered('issues', 'snooze', '--').includes('--json'))
  })
})
