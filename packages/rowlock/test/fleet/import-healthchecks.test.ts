import assert from 'node:assert/strict'
import { test } from 'node:test'
import { devicesFromHealthchecks } from '../../src/fleet/import/healthchecks.ts'

const UUID = '31365bce-8da9-4729-8ff3-aaa71d56b712'
const OTHER = '803f680d-e89b-492b-82ef-2be7b774a92d'

const backup = {
  name: 'Filesystem Backup',
  slug: 'filesystem-backup',
  tags: 'backup fs',
  desc: 'Runs incremental backup every hour',
  grace: 600,
  n_pings: 1,
  status: 'up',
  started: false,
  last_ping: '2026-03-24T14:02:03+00:00',
  next_ping: '2026-03-24T15:02:03+00:00',
  manual_resume: false,
  methods: '',
  start_kw: '',
  success_kw: '',
  failure_kw: '',
  ping_url: `https://ping.example.com/${UUID}`,
  timeout: 3600,
}
const nightly = {
  ...backup,
  name: 'Database Backup',
  slug: 'database-backup',
  tags: '',
  desc: '',
  grace: 1200,
  status: 'paused',
  manual_resume: true,
  methods: 'POST',
  ping_url: `https://ping.example.com/${OTHER}`,
  timeout: undefined,
  schedule: '15 5 * * *',
  tz: 'Europe/Riga',
}

test('checks by period and by schedule, with their own ping addresses', () => {
  assert.deepEqual(devicesFromHealthchecks({ checks: [backup, nightly] }), {
    devices: [
      {
        id: 'filesystem-backup',
        name: 'Filesystem Backup',
        description: 'Runs incremental backup every hour',
        slug: 'filesystem-backup',
        periodMs: 3_600_000,
        graceMs: 600_000,
        tags: ['backup', 'fs'],
        manualResume: false,
        postOnly: false,
        uuid: UUID,
      },
      {
        id: 'database-backup',
        name: 'Database Backup',
        description: null,
        slug: 'database-backup',
        schedule: { cron: '15 5 * * *', timezone: 'Europe/Riga' },
        graceMs: 1_200_000,
        tags: [],
        manualResume: true,
        postOnly: true,
        uuid: OTHER,
      },
    ],
    rowOf: new Map([
      ['filesystem-backup', 1],
      ['database-backup', 2],
    ]),
    errors: [],
    notes: [],
    paused: ['database-backup'],
  })
})

test('without a slug or with one that others have, and with a read-only key', () => {
  const { devices, notes } = devicesFromHealthchecks({
    checks: [
      { ...backup, slug: '', name: 'My Job' },
      { ...backup, slug: 'same', ping_url: `https://p.example.com/${OTHER}` },
      {
        ...backup,
        slug: 'same',
        ping_url: undefined,
        unique_key: 'a6c7b0a8a66bed0df66abfdab3c77736861703ee',
      },
      { ...backup, slug: '', name: '', ping_url: undefined, uuid: OTHER.replace('8', '9') },
      { ...backup, slug: 'alone', ping_url: undefined, unique_key: 'x', failure_kw: 'ERROR' },
    ],
  })
  assert.deepEqual(
    devices.map(({ id, slug, uuid }) => [id, slug, uuid]),
    [
      ['my-job', null, UUID],
      [OTHER, 'same', OTHER],
      ['a6c7b0a8a66bed0df66abfdab3c77736861703ee', 'same', undefined],
      [OTHER.replace('8', '9'), null, OTHER.replace('8', '9')],
      ['alone', 'alone', undefined],
    ],
  )
  assert.deepEqual(
    notes.map(({ row, column }) => [row, column]),
    [
      [3, 'ping_url'],
      [5, 'ping_url'],
      [5, 'failure_kw'],
    ],
  )
})

test('what cannot be taken over is told by check', () => {
  const { devices, errors } = devicesFromHealthchecks({
    checks: [
      nightly,
      { ...nightly, slug: 'b', schedule: 'Mon..Fri 09:00' },
      { ...nightly, slug: 'c', tz: 'Mars/Base' },
      { ...backup, slug: 'd', grace: 'long' },
      { ...backup, slug: 'e', timeout: 1e12 },
      'x',
      null,
      { ...backup, slug: 'f', tags: ['a'] },
      {},
    ],
  })
  assert.equal(devices.length, 1)
  assert.deepEqual(
    errors.map(({ row, column }) => [row, column]),
    [
      [2, 'schedule'],
      [3, 'timezone'],
      [4, 'grace'],
      [5, 'period'],
      [6, 'check'],
      [7, 'check'],
      [8, 'tags'],
      [9, 'id'],
    ],
  )
  for (const given of [null, 5, [], {}, { checks: {} }, { checks: [] }]) {
    assert.throws(() => devicesFromHealthchecks(given), { code: 'INVALID_INPUT' })
  }
})
