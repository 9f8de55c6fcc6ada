import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { startHub } from '../../src/node.ts'
import { startHubProcess } from './hub-process.ts'

async function folder(context: TestContext): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'rowlock-hub-'))
  context.after(() => rm(made, { recursive: true, force: true }))
  return made
}

const settings = (db: string) => readConfig({ flags: { port: 0, db } }).config

test('it listens on this machine only, and makes its folder and database', async (context) => {
  const db = join(await folder(context), 'deep/er/rowlock.db')
  const running = await startHub(settings(db), { print: () => {}, isTerminal: false })
  context.after(() => running.stop())
  assert.match(running.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal((await fetch(`${running.url}/healthz`)).status, 200)
  assert.ok((await stat(db)).isFile())
})

test('without a terminal the first token goes to a file of its owner’s, and never to what is printed', async (context) => {
  const home = await folder(context)
  const printed: string[] = []
  const running = await startHub(settings(join(home, 'rowlock.db')), {
    print: (line) => printed.push(line),
    isTerminal: false,
  })
  context.after(() => running.stop())
  const path = join(home, 'admin-token')
  const secret = (await readFile(path, 'utf8')).trim()
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.ok(printed.some((line) => line.includes(path)))
  assert.ok(!printed.join('\n').includes(secret))
  const answer = await fetch(`${running.url}/api/tokens`, { headers: { authorization: `Bearer ${secret}` } })
  assert.equal(answer.status, 200)
})

test('on a terminal it is printed, at the first start only', async (context) => {
  const db = join(await folder(context), 'rowlock.db')
  const starts = []
  for (let start = 0; start < 2; start++) {
    const printed: string[] = []
    const running = await startHub(settings(db), { print: (line) => printed.push(line), isTerminal: true })
    await running.stop()
    starts.push(printed.filter((line) => /rowlock_[\w-]{43}/.test(line)).length)
  }
  assert.deepEqual(starts, [1, 0])
})

test('a port that is taken is an error, and the database is closed again', async (context) => {
  const home = await folder(context)
  const first = await startHub(settings(join(home, 'a.db')), { print: () => {}, isTerminal: false })
  context.after(() => first.stop())
  const taken = { ...settings(join(home, 'b.db')), port: Number(new URL(first.url).port) }
  await assert.rejects(startHub(taken, { print: () => {}, isTerminal: false }), { code: 'EADDRINUSE' })
})

test('asked to end, it answers what has begun and then goes with exit code 0', async (context) => {
  const hub = await startHubProcess(join(await folder(context), 'rowlock.db'))
  context.after(() => hub.end('SIGKILL'))
  const send = (n: number) =>
    fetch(`${hub.url}/api/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hub.ingestKey}` },
      body: JSON.stringify({ id: `e${n}`, message: 'x' }),
    }).then(
      ({ status }) => status,
      () => 'refused',
    )
  assert.equal(await send(0), 200)
  const under = Array.from({ length: 50 }, (_, n) => send(n + 1))
  const ended = hub.end('SIGTERM')
  const statuses = await Promise.all(under)
  assert.ok(
    statuses.every((status) => status === 200 || status === 'refused'),
    statuses.join(),
  )
  assert.equal(await ended, 0)
})
