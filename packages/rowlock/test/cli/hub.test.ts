import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { type RunningHub, startHub } from '../../src/node.ts'
import { documents, rowlock } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'rowlock-hub-'))
const db = join(folder, 'rowlock.db')

describe('through a hub', () => {
  let hub: RunningHub
  const secrets = new Map<string, string>()
  before(async () => {
    for (const scopes of ['admin', 'write', 'read', 'ingest']) {
      const { out } = await rowlock(['token', 'add', scopes, '--scopes', scopes, '--db', db])
      assert.match(out, /^rowlock_\S+\n$/, 'standard output holds nothing but the secret')
      secrets.set(scopes, out.trim())
    }
    hub = await startHub(readConfig({ flags: { port: '0', db } }).config, { print: () => {} })
  })
  after(async () => {
    await hub.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const as = (scope: string, words: readonly string[], input = '') =>
    rowlock(words, {
      environment: { ROWLOCK_URL: hub.url, ROWLOCK_TOKEN: secrets.get(scope) ?? scope },
      input,
    })

  test('the token decides what may be done, and the exit code says that it does', async () => {
    const unknown = await as(`rowlock_${'x'.repeat(43)}`, ['issues'])
    assert.equal(unknown.exitCode, 77)
    assert.match(unknown.err, /the token or key is not known.*\n {2}try: --token or ROWLOCK_TOKEN/)
    assert.equal((await as('read', ['issues'])).exitCode, 0)
    const lacking = await as('read', ['project', 'add', 'shop'])
    assert.equal(lacking.exitCode, 77)
    assert.match(lacking.err, /the token read lacks the scope admin/)
  })

  test('projects and tokens', async () => {
    const [shop] = documents((await as('admin', ['project', 'add', 'shop', '--window', '15m', '--json'])).out)
    assert.equal(shop?.windowMs, 900_000)
    const twice = await as('admin', ['project', 'add', 'shop'])
    assert.equal(twice.exitCode, 1)
    assert.match(twice.err, /already a project named shop/)
    const [rotated] = documents((await as('admin', ['project', 'rotate', 'shop', '--json'])).out)
    assert.notEqual(rotated?.ingestKey, shop?.ingestKey)
    await as('admin', ['token', 'add', 'ci', '--scopes', 'ingest', '--project', 'shop'])
    assert.equal((await as('admin', ['token', 'revoke', 'ci'])).exitCode, 0)
    assert.equal((await as('admin', ['token', 'revoke', 'ci'])).exitCode, 66)
    assert.match((await as('admin', ['token', 'list'])).out, /^ci +ingest +\d+ +\S+.* +(now|\ds ago)$/m)
  })

  test('events go to the project of the key, or to the one that is named', async () => {
    const line = 'ERROR: disk is full\n'
    const [shop] = documents((await as('admin', ['project', 'list', '--json'])).out).filter(
      ({ name }) => name === 'shop',
    )
    assert.equal((await as(String(shop?.ingestKey), ['ingest', '-'], line)).exitCode, 0)
    const unnamed = await as('admin', ['ingest', '-'], line)
    assert.equal(unnamed.exitCode, 77)
    assert.match(unnamed.err, /try: --project NAME/)
    assert.match(unnamed.out, /^unanswered +1 +refused, see below$/m)
    assert.equal((await as('admin', ['ingest', '--project', 'default', '-'], line)).exitCode, 0)
    const issues = documents((await as('read', ['issues', '--json'])).out)
    assert.deepEqual(
      issues.map(({ title, count }) => [title, count]),
      [
        ['disk is full', 1],
        ['disk is full', 1],
      ],
    )
    const { out } = await as('read', ['issues', '--project', 'shop'])
    assert.match(
      out,
      /^ISSUE +LEVEL +STATE +COUNT +LAST SEEN +SOURCE +TITLE\n\S+ +error +open +1 +\S+.* +stdin +disk is full\n$/,
    )
  })

  test('an issue is shown, resolved, ignored and reopened', async () => {
    const [{ id = '' } = {}] = documents((await as('read', ['issues', '--json'])).out)
    const shown = await as('read', ['issues', 'show', String(id)])
    assert.match(shown.out, /^count {7}1$/m)
    assert.match(shown.out, /^first event, /m)
    assert.equal((await as('write', ['issues', 'resolve', String(id)])).out, `${id} is resolved\n`)
    assert.equal(
      (await as('write', ['issues', 'snooze', '--for', '1d', String(id)])).out,
      `${id} is snoozed\n`,
    )
    assert.equal((await as('write', ['issues', 'reopen', String(id)])).out, `${id} is open\n`)
    assert.equal((await as('read', ['issues', 'ignore', String(id)])).exitCode, 77)
  })

  test('run and claims', async () => {
    const run = () => as('write', ['run', 'nightly', '--ttl', '1h', '--json', '--', 'true'])
    assert.deepEqual(
      documents((await run()).err).map(({ won, exitCode }) => [won, exitCode]),
      [[true, 0]],
    )
    assert.deepEqual(
      documents((await run()).err).map(({ won, reason }) => [won, reason]),
      [[false, 'done']],
    )
    const [claim] = documents((await as('read', ['claims', 'list', '--prefix', 'night', '--json'])).out)
    assert.deepEqual([claim?.key, claim?.state], ['nightly', 'done'])
    const kept = await as('write', ['claims', 'release', 'nightly', '--if-token', String(claim?.token)])
    assert.equal(kept.exitCode, 1)
    assert.match(kept.err, /completed, which is final for its window/)
  })

  test('destinations and deliveries', async () => {
    const private_ = await as('admin', ['destination', 'add', 'http://127.0.0.1:9/hook'])
    assert.equal(private_.exitCode, 64)
    assert.match(
      private_.err,
      /private or local address\n {2}accepted: an http or https address on the public internet/,
    )
    const [added] = documents(
      (await as('admin', ['destination', 'add', 'https://hooks.example.com/x', '--json'])).out,
    )
    assert.match(String(added?.secret), /^whsec_/)
    assert.equal(
      (await as('admin', ['destination', 'disable', String(added?.id)])).out,
      `${added?.id} is off\n`,
    )
    assert.match((await as('read', ['destination', 'list'])).out, /switched off by hand/)
    assert.equal((await as('admin', ['destination', 'remove', String(added?.id)])).exitCode, 0)
    assert.match((await as('read', ['deliveries'])).err, /no deliveries/)
    assert.equal((await as('read', ['deliveries', 'show', '1'])).exitCode, 66)
  })

  test('doctor looks at it from outside', async () => {
    const { exitCode, out } = await as('read', ['doctor', '--json'])
    assert.equal(exitCode, 0)
    assert.ok(documents(out).every(({ state }) => state === 'ok'))
    assert.equal((await as(`rowlock_${'y'.repeat(43)}`, ['doctor'])).exitCode, 1)
  })

  test('what is no hub is told apart from a hub that refuses', async () => {
    const { exitCode, err } = await rowlock(['issues', '--url', `${hub.url}/elsewhere`, '--token', 'x'])
    assert.equal(exitCode, 66)
    assert.match(err, /a page at \/elsewhere\/api\/issues was not found/)
  })
})

test('token reset is the way back in', async () => {
  const own = mkdtempSync(join(tmpdir(), 'rowlock-reset-'))
  after(() => rmSync(own, { recursive: true, force: true }))
  const { out, exitCode } = await rowlock(['token', 'reset', '--db', join(own, 'a.db')])
  assert.equal(exitCode, 0)
  assert.match(out, /^rowlock_\S{43}\n$/)
})
