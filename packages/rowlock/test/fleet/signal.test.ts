import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readSignal, slugOf } from '../../src/fleet/ping/signal.ts'

const UUID = '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278'
const RID = '123e4567-e89b-12d3-a456-426614174000'
const KEY = 'fqOOd6-F4MMNuCEnzTU01w'

const byUuid = { uuid: UUID }
const bySlug = { key: KEY, slug: 'database-backup' }

test('each address says which device and what of it', () => {
  const cases: [string, object, string, number | null][] = [
    [`/ping/${UUID}`, byUuid, 'success', null],
    [`/ping/${UUID}/`, byUuid, 'success', null],
    [`/ping/${UUID.toUpperCase()}`, byUuid, 'success', null],
    [`/ping/${UUID}/start`, byUuid, 'start', null],
    [`/ping/${UUID}/fail`, byUuid, 'fail', null],
    [`/ping/${UUID}/log`, byUuid, 'log', null],
    [`/ping/${UUID}/0`, byUuid, 'success', 0],
    [`/ping/${UUID}/1`, byUuid, 'fail', 1],
    [`/ping/${UUID}/255`, byUuid, 'fail', 255],
    [`/ping/${UUID}/007`, byUuid, 'fail', 7],
    [`/ping/${KEY}/database-backup`, bySlug, 'success', null],
    [`/ping/${KEY}/database-backup/start`, bySlug, 'start', null],
    [`/ping/${KEY}/database-backup/fail/`, bySlug, 'fail', null],
    [`/ping/${KEY}/database-backup/log`, bySlug, 'log', null],
    [`/ping/${KEY}/database-backup/137`, bySlug, 'fail', 137],
    [`/ping/${KEY}/start`, { key: KEY, slug: 'start' }, 'success', null],
  ]
  for (const [path, target, kind, exitStatus] of cases) {
    assert.deepEqual(readSignal(path, {}), { target, kind, exitStatus, rid: null, create: false }, path)
  }
})

test('a run id is a UUID, and create is 1', () => {
  const read = (query: Record<string, string>) => readSignal(`/ping/${KEY}/database-backup`, query)
  const good = read({ rid: RID.toUpperCase(), create: '1', other: 'x' })
  assert.deepEqual(good, { target: bySlug, kind: 'success', exitStatus: null, rid: RID, create: true })
  for (const rid of ['', 'x', RID.slice(1), `${RID}0`, RID.replaceAll('-', ''), `{${RID}}`]) {
    assert.deepEqual(read({ rid }), { status: 400, text: 'invalid uuid format' }, rid)
  }
  for (const create of ['0', '', 'true']) {
    assert.equal('create' in read({ create }) && (read({ create }) as { create: boolean }).create, false)
  }
})

test('what is no ping address', () => {
  for (const path of [
    '/ping',
    '/ping/',
    '/ping//',
    '/ping/x',
    `/ping/${KEY}`,
    `/ping/${KEY}/`,
    `/ping/${KEY}/Database`,
    `/ping/${KEY}/a%20b`,
    `/ping/${KEY}/${'a'.repeat(101)}`,
    `/ping/${KEY}x/database-backup`,
    `/ping/${UUID}/stop`,
    `/ping/${UUID}/-1`,
    `/ping/${UUID}/1.5`,
    `/ping/${UUID}/start/1`,
    `/ping/${UUID}//start`,
    `/ping/${UUID}/constructor`,
    `/ping/${UUID}/__proto__`,
    `/pong/${UUID}`,
  ]) {
    assert.deepEqual(readSignal(path, {}), { status: 404, text: 'not found' }, path)
  }
  for (const status of ['256', '1000', '9'.repeat(400)]) {
    assert.deepEqual(readSignal(`/ping/${UUID}/${status}`, {}), { status: 400, text: 'invalid url format' })
  }
})

test('any path and any query is read or refused, never thrown at', () => {
  const piece = fc.oneof(
    fc.constantFrom(UUID, KEY, 'start', 'fail', 'log', '0', '255', '256', '', 'ping', 'a-b_c'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece), fc.option(fc.oneof(fc.constant(RID), fc.string())), (parts, rid) => {
      const read = readSignal(`/${parts.join('/')}`, rid === null ? {} : { rid })
      if ('status' in read) return [400, 404].includes(read.status)
      const { exitStatus, kind } = read
      return exitStatus === null || (exitStatus <= 255 && (exitStatus === 0) === (kind === 'success'))
    }),
    { seed: 20261201, numRuns: 2_000 },
  )
})

test('a slug is made of a name', () => {
  for (const [name, slug] of [
    ['Database Backup', 'database-backup'],
    ['  TV #17 (Café) ', 'tv-17-cafe'],
    ['a__b', 'a__b'],
    ['本店', null],
    ['--', null],
    ['x'.repeat(300), 'x'.repeat(100)],
  ] as const) {
    assert.equal(slugOf(name), slug)
  }
})
