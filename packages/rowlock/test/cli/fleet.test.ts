import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { readConfig } from '../../src/config/index.ts'
import { type RunningHub, startHub } from '../../src/node.ts'
import { documents, rowlock } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'rowlock-fleet-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('devices of a database', () => {
  const db = join(folder, 'alone.db')
  const on = (words: readonly string[], input = '') => rowlock([...words, '--db', db], { input })

  test('add prints the address and nothing else; show tells the rest', async () => {
    const added = await on([
      'devices',
      'add',
      'tv-17',
      '--name',
      'Lobby',
      '--period',
      '10m',
      '--tags',
      'a, b',
    ])
    assert.equal(added.exitCode, 0, added.err)
    assert.match(added.out, /^http\S+\/ping\/[0-9a-f-]{36}\n$/)
    const twice = await on(['devices', 'add', 'tv-17'])
    assert.equal(twice.exitCode, 1)
    assert.match(twice.err, /already a device tv-17/)
    const { out } = await on(['devices', 'show', 'tv-17'])
    assert.match(out, /^name +Lobby$/m)
    assert.match(out, /^state +new$/m)
    assert.match(out, /^last seen +never$/m)
    assert.match(out, /^expected +every 10m, and 1m of grace$/m)
    assert.match(out, /^tags +a b$/m)
  })

  test('set leaves what is not given; an empty text takes away', async () => {
    const [changed] = documents((await on(['devices', 'set', 'tv-17', '--grace', '5m', '--json'])).out)
    assert.deepEqual([changed?.name, changed?.graceMs, changed?.periodMs], ['Lobby', 300_000, 600_000])
    const [cleared] = documents((await on(['devices', 'set', 'tv-17', '--name', '', '--json'])).out)
    assert.equal(cleared?.name, null)
    const wrong = await on(['devices', 'set', 'tv-17', '--schedule', '61 * * * *'])
    assert.equal(wrong.exitCode, 64)
    assert.match(wrong.err, /schedule is .*\n {2}accepted: five fields/)
    assert.match((await on(['devices', '--state', 'asleep'])).err, /accepted: new, up, late, down, paused/)
  })

  test('a list by state, tag and text; pause, resume, remove', async () => {
    await on(['devices', 'add', 'backup', '--schedule', '30 2 * * *', '--timezone', 'Europe/Berlin'])
    const { out } = await on(['devices'])
    assert.match(out, /^DEVICE +STATE +SEEN +EXPECTED +TAGS +NAME$/m)
    assert.match(out, /^backup +new +never +30 2 \* \* \* +-$/m)
    assert.match((await on(['devices', 'pause', 'backup'])).out, /^backup is paused\n$/)
    const paused = documents((await on(['devices', 'list', '--state', 'paused', '--json'])).out)
    assert.deepEqual(
      paused.map(({ id }) => id),
      ['backup'],
    )
    assert.match((await on(['devices', 'resume', 'backup'])).out, /^backup is (new|up)\n$/)
    assert.deepEqual(
      documents((await on(['devices', '--tag', 'b', '--json'])).out).map(({ id }) => id),
      ['tv-17'],
    )
    assert.match((await on(['devices', 'remove', 'backup'])).out, /^backup is removed\n$/)
    assert.equal((await on(['devices', 'show', 'backup'])).exitCode, 66)
  })

  test('an import says what it would do, then does it, and with a mistake does nothing', async () => {
    const file = join(folder, 'devices.csv')
    writeFileSync(file, 'id,name,period\nlift,Aufzug,5m\ngate,Tor,1h\n')
    const dry = await on(['import', file, '--dry-run'])
    assert.match(dry.out, /^2 devices would be made, 0 would be changed, 0 as they were\.\n$/)
    assert.match((await on(['import', file])).out, /^2 devices made, 0 changed, 0 as they were\.\n$/)
    const [again] = documents((await on(['import', '-', '--json'], 'id,name\nlift,Aufzug\n')).out)
    assert.deepEqual([again?.created, again?.unchanged], [0, 1])
    const wrong = await on(['import', '-'], 'id,period\nlift,soon\n')
    assert.equal(wrong.exitCode, 1)
    assert.match(wrong.err, /row 2, period: /)
    assert.match(wrong.out, /1 mistake: nothing was written/)
    assert.equal((await on(['import', join(folder, 'none.csv')])).exitCode, 66)
  })
})

describe('checks and outages through a hub', () => {
  const db = join(folder, 'hub.db')
  let hub: RunningHub
  let secret = ''
  before(async () => {
    secret = (await rowlock(['token', 'add', 'all', '--scopes', 'admin', '--db', db])).out.trim()
    hub = await startHub(readConfig({ flags: { port: '0', db } }).config, { print: () => {} })
  })
  after(() => hub.stop())
  const ask = (words: readonly string[]) =>
    rowlock(words, { environment: { ROWLOCK_URL: hub.url, ROWLOCK_TOKEN: secret } })

  test('what fails is an outage with its reason; the next ping ends it; a check says what it wrote', async () => {
    const url = (await ask(['devices', 'add', 'job', '--project', 'default'])).out.trim()
    assert.equal(await (await fetch(url)).text(), 'OK')
    await fetch(`${url}/3`)
    const open = documents((await ask(['downtimes', '--open', '--json'])).out)
    assert.deepEqual(
      open.map(({ device, cause, reason }) => [device, cause, reason]),
      [['job', 'failed', 'exit status 3']],
    )
    assert.match((await ask(['devices', 'list', '--state', 'down'])).out, /^job +down +now|\ds ago/m)
    await fetch(url)
    const { out } = await ask(['downtimes'])
    assert.match(out, /^job +ended .* failed +- +exit status 3$/m)
    const csv = (await ask(['downtimes', '--csv'])).out
    assert.match(csv, /^project,device,name,started/)
    assert.equal(csv.trim().split('\n').length, 2)
    const [summary] = documents((await ask(['check', '--json'])).out)
    assert.deepEqual([summary?.opened, summary?.closed, summary?.verdict], [0, 0, 'normal'])
    assert.match((await ask(['check'])).out, /^0 outages opened, 0 ended, 0 alerts queued, in \d+ ms\.\n$/)
    assert.match((await ask(['devices', 'show', 'job'])).out, /^success +\S+ +GET/m)
  })

  test('run tells the start and the end, and its exit code is the command’s whatever becomes of that', async () => {
    const url = (await ask(['devices', 'add', 'nightly', '--project', 'default'])).out.trim()
    const run = (name: string, code: number, to = url) =>
      ask(['run', name, '--ttl', '1m', '--ping', to, '--', 'sh', '-c', `exit ${code}`])
    assert.equal((await run('one', 3)).exitCode, 3)
    assert.equal((await run('two', 0)).exitCode, 0)
    const [device] = documents((await ask(['devices', 'show', 'nightly', '--json'])).out)
    const pings = device?.recentPings as { kind: string; exitStatus: number | null; rid: string }[]
    assert.deepEqual(pings.map(({ kind, exitStatus }) => [kind, exitStatus]).reverse(), [
      ['start', null],
      ['fail', 3],
      ['start', null],
      ['success', 0],
    ])
    assert.equal(pings[0]?.rid, pings[1]?.rid)
    const untold = await run('three', 0, `${hub.url}/ping/${crypto.randomUUID()}`)
    assert.equal(untold.exitCode, 0)
    assert.match(untold.err, /answered 404 to the ping/)
    const wrong = await run('four', 0, 'hub.example.com')
    assert.equal(wrong.exitCode, 64)
    assert.match(wrong.err, /--ping is "hub.example.com"/)
  })
})
