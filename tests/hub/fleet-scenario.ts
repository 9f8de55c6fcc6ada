import assert from 'node:assert/strict'
import type { Client } from './client.ts'

type Json = Record<string, unknown>

const UUID = '31365bce-8da9-4729-8ff3-aaa71d56b712'
const RID = '123e4567-e89b-12d3-a456-426614174000'

/** What a hub does with devices, on whatever it stands. Needs a hub without devices. Takes real time only where it says so. */
export async function fleetScenario({ ask, open }: Client): Promise<void> {
  const device = async (id: string) => (await ask(`GET /api/devices/${encodeURIComponent(id)}`)).body
  const downtimes = async (query = '') => (await ask(`GET /api/downtimes${query}`)).body.downtimes as Json[]

  // Devices: made, changed, listed, paged.
  const tv = await ask('POST /api/devices', {
    id: '店/tv-17',
    name: '本店 TV',
    slug: 'tv-17',
    tags: ['tv', 'front'],
    period: '10m',
    mustAppearWithin: '1d',
  })
  assert.equal(tv.status, 201, JSON.stringify(tv.body))
  assert.equal((await ask('POST /api/devices', { id: '店/tv-17' })).status, 409)
  const job = await ask('PUT /api/devices/nightly', { schedule: '30 2 * * *', timezone: 'Europe/Berlin' })
  assert.deepEqual([job.status, job.body.state, job.body.timezone], [201, 'new', 'Europe/Berlin'])
  const changed = await ask('PUT /api/devices/nightly', { grace: '20m', description: 'x' })
  assert.deepEqual(
    [changed.status, changed.body.graceMs, changed.body.schedule],
    [200, 1_200_000, '30 2 * * *'],
  )
  const page = (await ask('GET /api/devices?limit=1')).body as { devices: Json[]; next: string }
  const rest = (await ask(`GET /api/devices?limit=1&cursor=${page.next}`)).body as { devices: Json[] }
  assert.deepEqual([...page.devices, ...rest.devices].map(({ id }) => id).sort(), ['nightly', '店/tv-17'])
  for (const [query, count] of [
    ['tag=tv', 1],
    ['state=new', 2],
    ['state=late', 0],
    ['q=tv', 1],
    ['q=%25', 0],
  ] as const) {
    const { status, body } = await ask(`GET /api/devices?${query}`)
    assert.deepEqual([status, (body.devices as Json[]).length], [200, count], query)
  }

  // Pings by UUID, and a run that takes its time.
  const address = `/ping/${tv.body.uuid}`
  assert.deepEqual(await open(address), { status: 200, text: 'OK' })
  assert.equal((await open(address, { method: 'HEAD' })).status, 200)
  assert.equal((await open(`${address}/start?rid=${RID}`)).status, 200)
  assert.notEqual((await device('店/tv-17')).runningSinceAt, null)
  assert.equal((await open(`${address}?rid=${RID}`, { method: 'POST', body: 'all\0well 在庫' })).status, 200)
  const pinged = await device('店/tv-17')
  assert.deepEqual([pinged.state, pinged.beats, pinged.pings, pinged.runningSinceAt], ['up', 3, 4, null])
  const [last] = pinged.recentPings as Json[]
  assert.deepEqual(
    [last?.kind, last?.rid, last?.body, last?.method],
    ['success', RID, 'all\uFFFDwell 在庫', 'POST'],
  )
  assert.ok(Number(last?.durationMs) >= 0)

  // A failure is an outage; its end; both with their alerts, if there is somebody to be told.
  assert.equal((await open(`${address}/3`)).status, 200)
  assert.equal((await device('店/tv-17')).state, 'down')
  assert.equal((await downtimes('?open=1')).length, 1)
  assert.equal((await open(address)).status, 200)
  const [outage] = await downtimes()
  assert.deepEqual([outage?.device, outage?.cause, outage?.endReason], ['店/tv-17', 'failed', 'beat'])

  // Keys and slugs.
  const { key } = (await ask('POST /api/projects/1/ping-key')).body
  assert.deepEqual(await open(`/ping/${key}/backup`), { status: 404, text: 'not found' })
  assert.deepEqual(await open(`/ping/${key}/backup?create=1`), { status: 201, text: 'Created' })
  assert.deepEqual(await open(`/ping/${key}/backup/0`), { status: 200, text: 'OK' })
  await ask('POST /api/devices', { id: 'other', slug: 'backup' })
  assert.deepEqual(await open(`/ping/${key}/backup`), { status: 409, text: 'ambiguous slug' })

  // Many beats, some of devices that are not known.
  const { body: projects } = await ask('GET /api/projects')
  const [{ ingestKey } = { ingestKey: '' }] = projects.projects as { ingestKey: string }[]
  const beats = Array.from({ length: 250 }, (_, n) => ({ device: `gw/${n}`, at: '2026-12-01T00:00:00Z' }))
  const beat = async (query: string, body: unknown) => {
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestKey}` },
      body: JSON.stringify(body),
    }
    return JSON.parse((await open(`/api/beats${query}`, init)).text) as Json
  }
  assert.deepEqual([(await beat('', beats)).accepted, (await beat('', beats)).rejected], [0, 250])
  const made = await beat('?create=1', beats)
  assert.deepEqual([made.accepted, made.created], [250, 250])
  assert.equal((await beat('', [...beats, { device: 'gw/0' }])).accepted, 251)
  assert.deepEqual([(await device('gw/0')).beats, (await device('gw/249')).beats], [3, 2])

  // Imports.
  const load = async (query: string, type: string, body: string) =>
    JSON.parse(
      (
        await open(`/api/import${query}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${ingestKey}`, 'content-type': type },
          body,
        })
      ).text,
    ) as Json
  assert.equal((await load('', 'text/csv', 'id\na\n')).code, 'FORBIDDEN')
  const checks = [
    { name: 'Imported', slug: 'imported', grace: 600, timeout: 3600, ping_url: `https://p.example/${UUID}` },
  ]
  const dry = await ask('POST /api/import?dryRun=1', { checks })
  assert.deepEqual([dry.body.created, (await ask('GET /api/devices/imported')).status], [1, 404])
  assert.equal((await ask('POST /api/import', { checks })).body.created, 1)
  assert.equal((await ask('POST /api/import', { checks })).body.unchanged, 1)
  assert.deepEqual(await open(`/ping/${UUID}`), { status: 200, text: 'OK' })

  // Checks, their record, uptime.
  const check = await ask('POST /api/check')
  assert.equal((check.body.checks as Json[]).length, 1)
  assert.ok(((await ask('GET /api/checks')).body.checks as Json[]).length >= 1)
  for (const by of ['day', 'month']) {
    const { status, body } = await ask(`GET /api/uptime?by=${by}&tz=Asia/Tokyo&count=2&limit=100`)
    assert.equal(status, 200)
    const devices = body.devices as { total: { ratio: number | null } }[]
    assert.equal(devices.length, 100)
    assert.ok(devices.every(({ total }) => total.ratio === null || (total.ratio >= 0 && total.ratio <= 1)))
  }

  // Paused, resumed, gone.
  assert.equal((await ask(`POST /api/devices/${encodeURIComponent('店/tv-17')}/pause`)).body.state, 'paused')
  assert.equal((await open(address)).status, 200)
  assert.equal((await device('店/tv-17')).state, 'paused')
  assert.equal((await ask(`POST /api/devices/${encodeURIComponent('店/tv-17')}/resume`)).body.state, 'up')
  assert.equal((await ask(`DELETE /api/devices/${encodeURIComponent('店/tv-17')}`)).status, 200)
  assert.equal((await open(address)).status, 404)
  assert.equal((await downtimes()).length, 1)
  assert.equal((await open('/readyz')).status, 200)
  assert.match((await open('/metrics')).text, /rowlock_devices\{state="up",project="1"\} 25[0-9]/)
}
