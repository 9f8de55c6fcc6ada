import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeDevice, pass, ping } from '../fleet/given.ts'
import { ask, MINUTE, openHub, rows, type TestHub } from '../hub.ts'

async function signIn(here: TestHub, token = here.adminToken): Promise<string> {
  const response = await here.app.request('/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ token }).toString(),
  })
  assert.equal(response.status, 303)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

async function page(here: TestHub, path: string, cookie: string): Promise<string> {
  const response = await here.app.request(path, { headers: { cookie } })
  assert.equal(response.status, 200, path)
  return await response.text()
}

/** A device that is down, one that is up, one that was never seen; the hub has checked. */
async function fleet() {
  const here = await openHub()
  const { uuid } = await makeDevice(here, {
    id: 'tv/17',
    name: '<b>Lobby</b>',
    period: '5m',
    tags: ['floor-1'],
  })
  const up = await makeDevice(here, { id: 'lift', period: '1d' })
  await makeDevice(here, { id: 'new' })
  await ping(here, `/ping/${uuid}`)
  await ping(here, `/ping/${up.uuid}`)
  await pass(here, 10 * MINUTE)
  return { here, uuid, cookie: await signIn(here) }
}

const PATHS = ['/devices', '/devices/1/tv%2F17', '/downtimes', '/checks']

test('without a session each page asks for a token and shows nothing else', async () => {
  const { here } = await fleet()
  for (const path of PATHS) {
    const text = await page(here, path, '')
    assert.match(text, /<label for="token">Token<\/label>/)
    assert.ok(!text.includes('Lobby') && !text.includes('tv'))
  }
})

test('they show devices, one device, outages and checks, and what people wrote is text', async () => {
  const { here, uuid, cookie } = await fleet()
  const list = await page(here, '/devices', cookie)
  assert.match(list, /href="\/devices\/1\/tv%2F17">&lt;b&gt;Lobby&lt;\/b&gt;</)
  assert.match(list, /<span class="state state-down">down<\/span>/)
  const down = await page(here, '/devices?state=down', cookie)
  assert.ok(down.includes('Lobby') && !down.includes('lift'))
  assert.match(await page(here, '/devices?q=lobby', cookie), /Lobby/)
  const device = await page(here, '/devices/1/tv%2F17', cookie)
  assert.ok(device.includes(`/ping/${uuid}`))
  assert.equal(device.match(/<li class="day-/g)?.length, 30)
  assert.match(device, /<li class="day-down" title="2027-01-15: \d/)
  assert.match(await page(here, '/downtimes?state=open', cookie), /silent.*state-down/s)
  assert.match(await page(here, '/checks', cookie), /data-label="Opened">1</)
})

test('looking at a page changes nothing: what was to be told is still to be told', async () => {
  const { here, cookie } = await fleet()
  const everything = () =>
    ['subjects', 'downtimes', 'outbox', 'checks', 'checker', 'devices', 'pings'].map((table) =>
      rows(here, `select * from rowlock_${table}`),
    )
  const before = everything()
  for (const path of ['/', ...PATHS]) await page(here, path, cookie)
  assert.deepEqual(everything(), before)
})

test('pausing and resuming by form, for those who may; nobody else sees the address', async () => {
  const { here, uuid, cookie } = await fleet()
  const press = (action: string, as: string) =>
    here.app.request(`/devices/1/tv%2F17/${action}`, {
      method: 'POST',
      headers: { cookie: as, 'sec-fetch-site': 'same-origin' },
    })
  const pressed = await press('pause', cookie)
  assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, '/devices/1/tv%2F17'])
  assert.match(await page(here, '/devices/1/tv%2F17', cookie), /state-paused.*>resume</s)
  assert.equal((await press('resume', cookie)).status, 303)
  const { body } = await ask(here, 'POST /api/tokens', { name: 'reader', scopes: ['read'] })
  const reader = await signIn(here, String(body.secret ?? body.token))
  assert.equal((await press('pause', reader)).status, 403)
  const text = await page(here, '/devices/1/tv%2F17', reader)
  assert.ok(!text.includes(uuid) && !text.includes('>pause<'))
})
