import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { start } from './process.ts'
import { documents, rowlock } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'rowlock-run-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const db = join(folder, 'rowlock.db')

const run = (name: string, flags: readonly string[], script: string) =>
  rowlock(['run', name, '--db', db, '--ttl', '1h', ...flags, '--', 'sh', '-c', script])

const claim = async (key: string) =>
  documents((await rowlock(['claims', 'show', key, '--db', db, '--json'])).out)[0]

describe('rowlock run', () => {
  test('from four shells at once, on a database that does not exist yet, and a fifth time: it ran once', async () => {
    const fresh = join(folder, 'fresh', 'rowlock.db')
    const words = ['run', 'nightly', '--ttl', '1h', '--db', fresh, '--', 'sh', '-c', 'echo ran']
    const four = Array.from({ length: 4 }, () => start(words))
    assert.deepEqual(await Promise.all(four.map(({ ended }) => ended)), [0, 0, 0, 0])
    const fifth = start(words)
    assert.equal(await fifth.ended, 0)
    const all = [...four, fifth]
    assert.equal(all.map(({ out }) => out()).join(''), 'ran\n')
    assert.equal(all.map(({ err }) => err()).join(''), '', 'without a terminal nobody says anything')
  })

  test('the window is kept after success, completed and not freed', async () => {
    assert.equal((await run('kept', [], 'exit 0')).exitCode, 0)
    const { state, result } = (await claim('kept'))!
    assert.equal(state, 'done')
    assert.equal((result as { exitCode: number }).exitCode, 0)
    const second = await run('kept', ['--if-held', '9', '--json'], 'exit 1')
    assert.equal(second.exitCode, 9)
    assert.deepEqual(
      documents(second.err).map(({ won, reason }) => [won, reason]),
      [[false, 'done']],
    )
  })

  test('after a failure the window is free, or kept if so wished; the exit code is the command’s', async () => {
    assert.equal((await run('failing', [], 'exit 3')).exitCode, 3)
    assert.equal((await claim('failing'))!.state, 'free')
    assert.equal((await run('failing', ['--on-failure', 'keep'], 'exit 4')).exitCode, 4)
    assert.equal((await claim('failing'))!.state, 'held')
    assert.equal((await run('failing', ['--if-held', '9'], 'exit 5')).exitCode, 9)
  })

  test('a lock is freed at its end', async () => {
    assert.equal((await run('lock', ['--hold'], 'exit 0')).exitCode, 0)
    assert.equal((await claim('lock'))!.state, 'free')
  })

  test('a command that cannot be started frees the window and says so', async () => {
    const { exitCode, err } = await rowlock([
      'run',
      'missing',
      '--db',
      db,
      '--ttl',
      '1h',
      '--',
      'no-such-program',
    ])
    assert.equal(exitCode, 127)
    assert.match(err, /no-such-program was not found/)
    assert.equal((await claim('missing'))!.state, 'free')
    assert.equal((await rowlock(['run', 'missing', '--db', db, '--ttl', '1h', '--', folder])).exitCode, 126)
  })

  test('the command knows its claim', async () => {
    const file = join(folder, 'told')
    await run('told', [], `echo "$ROWLOCK_CLAIM_KEY $ROWLOCK_CLAIM_TOKEN" > ${file}`)
    assert.equal(readFileSync(file, 'utf8'), `told ${(await claim('told'))!.token}\n`)
  })

  test('if nobody could be asked, nothing is run', async () => {
    const file = join(folder, 'not-run')
    const words = ['--ttl', '1h', '--patience', '1ms', '--', 'touch', file]
    const { exitCode, err } = await rowlock(['run', 'x', '--url', 'http://127.0.0.1:1', ...words])
    assert.equal(exitCode, 69)
    assert.match(err, /could not be asked/)
    assert.throws(() => readFileSync(file))
  })

  test('a signal is handed on to the command and all it started; the window is free again', async () => {
    // Said by the grandchild: by then it is a process that a signal ends.
    const script = 'trap "echo told; exit 42" TERM; sh -c "echo begun; exec sleep 60" & wait'
    const held = start(['run', 'signalled', '--db', db, '--ttl', '1h', '--', 'sh', '-c', script])
    await held.said(/begun/)
    held.child.kill('SIGTERM')
    assert.equal(await held.ended, 42)
    assert.match(held.out(), /told/)
    assert.equal((await claim('signalled'))!.state, 'free')
  })

  test('when the claim is lost the command is ended, also one that does not want to', async () => {
    const script = 'trap "" TERM; echo begun; sleep 60'
    const words = ['run', 'lost', '--db', db, '--ttl', '6s', '--grace', '100ms', '--', 'sh', '-c', script]
    const held = start(words)
    await held.said(/begun/)
    await rowlock(['claims', 'release', 'lost', '--force', '--db', db])
    assert.equal(await held.ended, 75)
    assert.match(held.err(), /the claim on lost was lost: somebody else may have it now; ending the command/)
  })
})

test('where nobody named a database it says once that it decides for this machine only', async () => {
  const words = ['run', 'x', '--ttl', '1h', '--', 'true']
  const first = start(words, {}, folder)
  assert.equal(await first.ended, 0)
  assert.match(first.err(), /this machine only.*--db postgres:\/\/… or --url/)
  const second = start(words, {}, folder)
  assert.equal(await second.ended, 0)
  assert.equal(second.err(), '')
})
