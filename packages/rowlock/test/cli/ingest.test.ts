import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { start } from './process.ts'
import { documents, rowlock } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'rowlock-ingest-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const db = join(folder, 'rowlock.db')

const KINDS = ['disk is full', 'payment failed', 'printer jammed', 'no paper', 'door is open']

/** Lines of a log, as many of each kind. */
function log(lines: number): string {
  const start = Date.UTC(2026, 10, 30)
  return Array.from({ length: lines }, (_, at) => {
    const time = new Date(start + at).toISOString().replace('T', ' ').replace('.', ',').replace('Z', '')
    return `${time} ERROR [main] com.example.Shop: ${KINDS[at % KINDS.length]}\n`
  }).join('')
}

async function figures(words: readonly string[], input?: string) {
  const { out, exitCode } = await rowlock(
    ['ingest', '--json', '--db', db, ...words],
    input === undefined ? {} : { input },
  )
  return { exitCode, ...documents(out)[0] } as Record<string, number>
}

async function counts(): Promise<Record<string, number>> {
  const { out } = await rowlock(['issues', '--all', '--json', '--db', db])
  return Object.fromEntries(documents(out).map(({ title, count }) => [title, count as number]))
}

describe('rowlock ingest', () => {
  const file = join(folder, 'app.log')

  test('the figures are exact, and the counts are those of the lines', async () => {
    writeFileSync(file, log(1_500))
    const { exitCode, lines, accepted, duplicates, rejected, newIssues, knownIssues, won } = await figures([
      file,
    ])
    assert.deepEqual(
      { exitCode, lines, accepted, duplicates, rejected, newIssues, knownIssues, won },
      {
        exitCode: 0,
        lines: 1_500,
        accepted: 1_500,
        duplicates: 0,
        rejected: 0,
        newIssues: 5,
        knownIssues: 0,
        won: 5,
      },
    )
    assert.deepEqual(await counts(), Object.fromEntries(KINDS.map((kind) => [kind, 300])))
  })

  test('a file that has grown, under another name, adds only what is new', async () => {
    const rotated = join(folder, 'app.log.1')
    renameSync(file, rotated)
    appendFileSync(rotated, '2026-11-30 00:00:09,000 ERROR [main] com.example.Shop: door is open\n')
    const { accepted, duplicates, newIssues, knownIssues, won } = await figures([rotated])
    assert.deepEqual([accepted, duplicates, newIssues, knownIssues, won], [1, 1_500, 0, 5, 0])
    assert.equal((await counts())['door is open'], 301)
  })

  test('a new file under the old name is another one; --again counts once more', async () => {
    writeFileSync(file, '2026-11-30 00:00:10,000 ERROR [main] com.example.Shop: door is open\n')
    assert.equal((await figures([file])).accepted, 1)
    assert.equal((await figures([file])).duplicates, 1)
    assert.equal((await figures([file, '--again'])).accepted, 1)
    assert.equal((await counts())['door is open'], 303)
  })

  test('broken events are rejected, each with its place, and cost no neighbour', async () => {
    const input = '{"message":"one"}\nno json\n{"level":"info"}\n\n{"message":"two"}\n'
    const { out, err, exitCode } = await rowlock(['ingest', '--format', 'jsonl', '--db', db, '-'], { input })
    assert.equal(exitCode, 1)
    assert.match(err, /stdin:2: the line is not a JSON object/)
    assert.match(err, /stdin:3: message is missing/)
    assert.match(
      out,
      /read {8}5 {2}lines, \d+ bytes; 1 blank\naccepted {4}2 .*\nduplicates {2}0\nrejected {4}2\n/,
    )
  })

  test('what is below --min-level is left out and counted', async () => {
    const { skipped, accepted } = await figures(
      ['--min-level', 'warning', '-'],
      'INFO: a\nWARN: b\nERROR: c\n',
    )
    assert.deepEqual([skipped, accepted], [1, 2])
  })

  test('--dry-run shows the events and sends none', async () => {
    const { out, err } = await rowlock(['ingest', '--dry-run', '-'], {
      input: 'ERROR: a\n\tat b.c(D.java:1)\n',
    })
    const [event] = documents(out)
    assert.deepEqual([event?.level, event?.message, event?.stack], ['error', 'a', 'a\n\tat b.c(D.java:1)'])
    assert.match(err, /1 events, none of them sent/)
  })

  test('Ctrl-C prints the figures so far', async () => {
    const waiting = start(['ingest', '--json', '--url', 'http://127.0.0.1:1', file])
    await waiting.said(/waiting: /)
    waiting.child.kill('SIGINT')
    assert.equal(await waiting.ended, 130)
    const [told] = documents(waiting.out())
    assert.deepEqual([told?.lines, told?.accepted, told?.unanswered], [1, 0, 1])
  })
})

test('the hub is killed in the middle and started again: ingest waits and goes on, and the figures are exact', {
  timeout: 120_000,
}, async (context) => {
  const home = join(folder, 'killed')
  const hubDb = join(home, 'rowlock.db')
  const lines = 40_000
  const file = join(folder, 'long.log')
  writeFileSync(file, log(lines))
  await rowlock(['migrate', '--db', hubDb])
  const [project] = documents((await rowlock(['project', 'list', '--db', hubDb, '--json'])).out)
  const secret = String(project?.ingestKey)

  const serve = (port: string) => {
    const hub = start(['serve', '--db', hubDb, '--port', port, '--json'])
    context.after(() => hub.child.kill('SIGKILL'))
    return hub
  }
  const first = serve('0')
  await first.said(/"url"/)
  const { url } = documents(first.out())[0] as { url: string }

  const ingest = start(['ingest', file, '--json', '--url', url], { ROWLOCK_TOKEN: secret })
  context.after(() => ingest.child.kill('SIGKILL'))
  await untilCounted(hubDb, 1)
  first.child.kill('SIGKILL')
  await first.ended
  await ingest.said(/waiting: /)
  const second = serve(new URL(url).port)
  assert.equal(await ingest.ended, 0, ingest.err())

  const [told] = documents(ingest.out())
  assert.deepEqual(
    [
      told?.lines,
      told?.accepted,
      told?.duplicates,
      told?.rejected,
      told?.unanswered,
      told?.newIssues,
      told?.won,
    ],
    [lines, lines, 0, 0, 0, KINDS.length, KINDS.length],
  )
  second.child.kill('SIGTERM')
  assert.equal(await second.ended, 0)
  const { out } = await rowlock(['issues', '--json', '--db', hubDb])
  assert.deepEqual(
    documents(out).map(({ count }) => count),
    KINDS.map(() => lines / KINDS.length),
  )
})

/** Resolves when this many events have been counted, seen from outside. */
async function untilCounted(path: string, least: number): Promise<void> {
  for (;;) {
    const { out } = await rowlock(['issues', '--json', '--db', path])
    if (documents(out).reduce((sum, { count }) => sum + Number(count), 0) >= least) return
  }
}
