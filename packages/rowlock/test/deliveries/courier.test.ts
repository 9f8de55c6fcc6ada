import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { Post, Reply } from '../../src/deliveries/send.ts'
import { ask, HOUR, MINUTE, openHub, rows, START, send, type TestHub } from '../hub.ts'

const event = { source: 'shop', level: 'error', message: 'stock ran out' }

async function openWithDestinations(count = 1): Promise<{ here: TestHub; ids: string[]; secrets: string[] }> {
  const here = await openHub()
  const ids: string[] = []
  const secrets: string[] = []
  for (let n = 1; n <= count; n++) {
    const { status, body } = await ask(here, 'POST /api/destinations', {
      project: 1,
      url: `https://hooks.example.com/${n}`,
    })
    assert.equal(status, 201)
    ids.push(String(body.id))
    secrets.push(String(body.secret))
  }
  return { here, ids, secrets }
}

const states = (here: TestHub) =>
  rows(here, 'select state from rowlock_outbox order by id').map(({ state }) => state)
const answering =
  (status: number, retryAfter: string | null = null) =>
  (): Reply => ({ status, retryAfter })

test('a win is told to each destination once, signed, with what it is about', async () => {
  const { here, secrets } = await openWithDestinations(2)
  await send(here, [event, event, event])
  await send(here, event)
  assert.equal(await here.hub.courier.round(), 2)
  assert.equal(await here.hub.courier.round(), 0)
  assert.deepEqual(here.posts.map(({ url }) => url).sort(), [
    'https://hooks.example.com/1',
    'https://hooks.example.com/2',
  ])

  const post = here.posts.find(({ url }) => url.endsWith('1')) as Post
  const [issue] = rows(here, 'select id, token from rowlock_issues')
  assert.deepEqual(JSON.parse(post.body), {
    type: 'issue.won',
    timestamp: new Date(START).toISOString(),
    data: {
      issue: issue?.id,
      project: 1,
      source: 'shop',
      level: 'error',
      title: 'stock ran out',
      state: 'open',
      generation: 1,
      reopened: 0,
      count: 3,
      newEvents: 3,
      firstSeenAt: new Date(START).toISOString(),
      lastSeenAt: new Date(START).toISOString(),
      wonAt: new Date(START).toISOString(),
      token: issue?.token,
    },
  })
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = post.headers
  const key = Buffer.from(String(secrets[0]).slice(6), 'base64')
  assert.equal(
    signature,
    `v1,${createHmac('sha256', key).update(`${id}.${time}.${post.body}`).digest('base64')}`,
  )
})

test('the next win says how many came since the last', async () => {
  const { here } = await openWithDestinations()
  await send(here, event)
  for (let n = 0; n < 41; n++) await send(here, event)
  here.now += HOUR + 1
  await send(here, [event, event])
  await here.hub.courier.round()
  assert.deepEqual(
    here.posts
      .map(({ body }) => JSON.parse(body).data)
      .map(({ count, newEvents }) => [count, newEvents])
      .sort(),
    [
      [1, 1],
      [44, 43],
    ],
  )
})

test('every attempt sends the same id and the same bytes, and comes later each time', async () => {
  const { here } = await openWithDestinations()
  await send(here, event)
  here.reply = answering(503)
  let last = 0
  for (let attempt = 1; attempt <= 5; attempt++) {
    assert.equal(await here.hub.courier.round(), 1)
    const [row] = rows(here, 'select not_before, state, last_error from rowlock_outbox')
    assert.deepEqual([row?.state, row?.last_error], ['pending', 'the destination answered 503'])
    assert.ok(Number(row?.not_before) - here.now > last / 2, 'doubled, half of it drawn')
    last = Number(row?.not_before) - here.now
    here.now = Number(row?.not_before)
    await send(here, event)
  }
  here.reply = answering(204)
  await here.hub.courier.round()
  assert.deepEqual(states(here), ['sent'])
  assert.equal(new Set(here.posts.map(({ body }) => body)).size, 1)
  assert.equal(new Set(here.posts.map(({ headers }) => headers['webhook-id'])).size, 1)
})

test('Retry-After is obeyed, in seconds and as a date', async () => {
  for (const [given, waits] of [
    ['120', 120_000],
    [new Date(START + 300_000).toUTCString(), 300_000],
  ] as const) {
    const { here } = await openWithDestinations()
    await send(here, event)
    here.reply = answering(429, given)
    await here.hub.courier.round()
    here.now += waits - 1
    assert.equal(await here.hub.courier.round(), 0)
    here.now += HOUR
    assert.equal(await here.hub.courier.round(), 1)
  }
})

test('what is worth another attempt and what is not', async () => {
  for (const [status, state] of [
    [200, 'sent'],
    [202, 'sent'],
    [408, 'pending'],
    [425, 'pending'],
    [429, 'pending'],
    [500, 'pending'],
    [599, 'pending'],
    [301, 'dead'],
    [400, 'dead'],
    [401, 'dead'],
    [404, 'dead'],
    [422, 'dead'],
    [410, 'dead'],
  ] as const) {
    const { here } = await openWithDestinations()
    await send(here, event)
    here.reply = answering(status)
    await here.hub.courier.round()
    assert.deepEqual(states(here), [state], String(status))
  }
  const { here } = await openWithDestinations()
  await send(here, event)
  here.reply = () => {
    throw new Error('connection refused')
  }
  await here.hub.courier.round()
  assert.deepEqual(rows(here, 'select state, last_error from rowlock_outbox'), [
    { state: 'pending', last_error: 'connection refused' },
  ])
})

test('410 switches the destination off and says so; switched on again, it gets what comes then', async () => {
  const { here, ids } = await openWithDestinations()
  await send(here, event)
  here.reply = answering(410)
  await here.hub.courier.round()
  const gone = await ask(here, 'GET /api/destinations')
  assert.deepEqual((gone.body.destinations as object[])[0], {
    id: ids[0],
    project: 1,
    kind: 'webhook',
    name: null,
    only: null,
    tags: [],
    url: 'https://hooks.example.com/1',
    enabled: false,
    disabledReason: 'the destination answered 410: it is gone',
    createdAt: new Date(START).toISOString(),
  })
  assert.match(here.problems.join(), /410/)
  here.now += 2 * HOUR
  assert.equal((await send(here, event)).body.won, true)
  assert.equal(await here.hub.courier.round(), 0)

  here.reply = answering(200)
  assert.equal((await ask(here, `PATCH /api/destinations/${ids[0]}`, { enabled: true })).body.enabled, true)
  here.now += 2 * HOUR
  await send(here, event)
  assert.equal(await here.hub.courier.round(), 1)
  assert.deepEqual(states(here), ['dead', 'sent'])
})

test('one destination that fails does not repeat or delay the others', async () => {
  const { here } = await openWithDestinations(2)
  here.reply = ({ url }) => ({ status: url.endsWith('1') ? 500 : 200, retryAfter: null })
  for (let n = 0; n < 5; n++) {
    await send(here, { ...event, message: `kind ${'abcde'[n]}` })
    await here.hub.courier.round()
  }
  assert.equal(here.posts.filter(({ url }) => url.endsWith('2')).length, 5)
})

test('a destination that hangs holds up nobody else', async () => {
  const { here } = await openWithDestinations(2)
  const gate = Promise.withResolvers<Reply>()
  here.reply = ({ url }) => (url.endsWith('1') ? gate.promise : { status: 200, retryAfter: null })
  for (let n = 0; n < 40; n++)
    await send(here, {
      ...event,
      message: `kind ${'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'[n]}`,
    })
  const stuck: Promise<void>[] = []
  const sentTo = (end: string) => here.posts.filter(({ url }) => url.endsWith(end)).length
  for (let round = 0; round < 10_000 && sentTo('2') < 40; round++) {
    stuck.push(...(await here.hub.courier.begin(32)))
    await new Promise(setImmediate)
  }
  assert.equal(sentTo('2'), 40)
  assert.equal(sentTo('1'), 4)
  gate.resolve({ status: 200, retryAfter: null })
  await Promise.all(stuck)
})

test('when all deliveries of a win are dead, the next event wins again, once a minute at most', async () => {
  const { here } = await openWithDestinations(2)
  here.reply = answering(404)
  assert.equal((await send(here, event)).body.won, true)
  await here.hub.courier.round()
  assert.deepEqual(states(here), ['dead', 'dead'])
  assert.equal((await send(here, event)).body.won, false)
  here.now += MINUTE + 1
  assert.equal((await send(here, event)).body.won, true)
})

test('while one delivery of a win is alive, its window stands', async () => {
  const { here } = await openWithDestinations(2)
  here.reply = ({ url }) => ({ status: url.endsWith('1') ? 404 : 503, retryAfter: null })
  await send(here, event)
  await here.hub.courier.round()
  here.now += 30 * MINUTE
  assert.equal((await send(here, event)).body.won, false)
})

test('a dead delivery of an earlier win leaves a later win alone', async () => {
  const { here } = await openWithDestinations()
  here.reply = answering(503)
  await send(here, event)
  await here.hub.courier.round()
  here.now += HOUR + 1
  await send(here, event)
  const [later] = rows(here, 'select token, expires_at from rowlock_issues')
  here.reply = ({ body }) => ({
    status: JSON.parse(body).data.token === later?.token ? 200 : 404,
    retryAfter: null,
  })
  await here.hub.courier.round()
  assert.deepEqual(states(here).sort(), ['dead', 'sent'])
  assert.deepEqual(rows(here, 'select token, expires_at from rowlock_issues'), [later])
})

test('a dead delivery is redriven on demand; a living one is not', async () => {
  const { here } = await openWithDestinations()
  await send(here, event)
  here.reply = answering(400)
  await here.hub.courier.round()
  const { body } = await ask(here, 'GET /api/deliveries?state=dead')
  const [dead] = body.deliveries as { id: number; lastError: string }[]
  assert.equal(dead?.lastError, 'the destination answered 400')
  assert.equal((await ask(here, `POST /api/deliveries/${dead?.id}/redrive`)).body.state, 'pending')
  assert.equal((await ask(here, `POST /api/deliveries/${dead?.id}/redrive`)).status, 400)
  here.reply = answering(200)
  assert.equal(await here.hub.courier.round(), 1)
  assert.equal((await ask(here, `GET /api/deliveries/${dead?.id}`)).body.state, 'sent')
})

test('what is on its way to a removed destination ends as dead', async () => {
  const { here, ids } = await openWithDestinations()
  await send(here, event)
  assert.equal((await ask(here, `DELETE /api/destinations/${ids[0]}`)).status, 200)
  await here.hub.courier.round()
  assert.deepEqual(here.posts, [])
  assert.deepEqual(rows(here, 'select state, last_error from rowlock_outbox'), [
    { state: 'dead', last_error: 'the destination was removed' },
  ])
  assert.deepEqual((await ask(here, 'GET /api/destinations')).body.destinations, [])
  assert.equal((await ask(here, `PATCH /api/destinations/${ids[0]}`, { enabled: true })).status, 404)
})

test('a courier that died is followed by another when its lease is over, and its late answer counts for nothing', async () => {
  const { here } = await openWithDestinations()
  await send(here, event)
  const gate = Promise.withResolvers<Reply>()
  here.reply = () => gate.promise
  const [asleep] = await here.hub.courier.begin(1)
  here.now += MINUTE
  assert.equal(await here.hub.courier.begin(1).then((begun) => begun.length), 0)
  here.now += 1
  here.reply = answering(200)
  assert.equal(await here.hub.courier.round(), 1)
  gate.resolve({ status: 404, retryAfter: null })
  await asleep
  assert.deepEqual(states(here), ['sent'])
  assert.equal(here.posts[0]?.headers['webhook-id'], here.posts[1]?.headers['webhook-id'])
})
