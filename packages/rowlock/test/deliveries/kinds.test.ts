import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, openHub, rows, START } from '../hub.ts'
import { destination, notify } from './receiver.ts'

const SECRETS = {
  webhook: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  slack: 'XXsl4ckS3cr3tXX',
  discord: 'd1sc0rd-T0ken_x',
  mail: 'letmein-please',
  pagerduty: 'R0ut1ngK3yR0ut1ngK3yR0ut1ngK3yRR',
} as const

const FIELDS = {
  webhook: { url: 'https://hooks.example.com/a', secret: SECRETS.webhook },
  slack: { url: `https://hooks.slack.com/services/T012/B345/${SECRETS.slack}` },
  discord: { url: `https://discord.com/api/webhooks/1234567890/${SECRETS.discord}?thread_id=5` },
  mail: {
    host: 'smtp.example.com',
    from: 'rowlock@example.com',
    to: 'ops@example.com',
    user: 'rowlock',
    password: SECRETS.mail,
  },
  pagerduty: { routingKey: SECRETS.pagerduty },
} as const

const kinds = Object.keys(FIELDS) as (keyof typeof FIELDS)[]

test('each kind is added with its fields, and listed without its secret', async () => {
  const here = await openHub()
  for (const kind of kinds) {
    const { status, body } = await ask(here, 'POST /api/destinations', { project: 1, kind, ...FIELDS[kind] })
    assert.equal(status, 201, JSON.stringify(body))
    assert.equal(body.secret, kind === 'webhook' ? SECRETS.webhook : undefined)
  }
  const { body } = await ask(here, 'GET /api/destinations')
  const listed: Record<string, unknown>[] = (body.destinations as { id: string }[]).map(
    ({ id, ...rest }) => ({ id: id.replace(/-[0-9a-f]{12}$/, ''), ...rest }),
  )
  const common = {
    project: 1,
    name: null,
    only: null,
    tags: [],
    enabled: true,
    disabledReason: null,
    createdAt: new Date(START).toISOString(),
  }
  assert.deepEqual(
    listed.sort((one, other) => kinds.indexOf(one.kind as 'mail') - kinds.indexOf(other.kind as 'mail')),
    [
      { ...common, id: 'wh', kind: 'webhook', url: 'https://hooks.example.com/a' },
      { ...common, id: 'slack', kind: 'slack', url: 'https://hooks.slack.com/services/T012/B345/…' },
      { ...common, id: 'discord', kind: 'discord', url: 'https://discord.com/api/webhooks/1234567890/…' },
      {
        ...common,
        id: 'mail',
        kind: 'mail',
        url: 'mailto:ops@example.com',
        host: 'smtp.example.com',
        port: 587,
        security: 'starttls',
        user: 'rowlock',
        from: 'rowlock@example.com',
        to: ['ops@example.com'],
      },
      { ...common, id: 'pager', kind: 'pagerduty', url: 'https://events.pagerduty.com/v2/enqueue' },
    ],
  )
})

test('a wrong field is named, and a secret in it is not repeated', async () => {
  const here = await openHub()
  const secret = 'S3cr3tS3cr3t'
  for (const [kind, fields, field] of [
    ['telegram', {}, 'kind'],
    [5, {}, 'kind'],
    ['slack', {}, 'url'],
    ['slack', { url: `${secret}` }, 'url'],
    ['slack', { url: `http://10.0.0.1/services/${secret}` }, 'url'],
    ['slack', { url: 'https://hooks.slack.com/services/a', secret }, 'secret'],
    ['discord', { url: `ftp://discord.com/${secret}` }, 'url'],
    ['discord', { url: `https://user:${secret}@discord.com/` }, 'url'],
    ['pagerduty', {}, 'routingKey'],
    ['pagerduty', { routingKey: secret }, 'routingKey'],
    ['pagerduty', { routingKey: [secret] }, 'routingKey'],
    ['pagerduty', { routingKey: SECRETS.pagerduty, url: 'http://localhost/' }, 'url'],
    ['webhook', { url: 'https://example.com/', routingKey: secret }, 'routingKey'],
    ['webhook', { url: 'https://example.com/', secret }, 'secret'],
    ['webhook', { url: 'https://example.com/', name: 'a\nb' }, 'name'],
    ['webhook', { url: 'https://example.com/', only: 'some' }, 'only'],
    ['webhook', { url: 'https://example.com/', tags: 'floor-3' }, 'tags'],
    ['webhook', { url: 'https://example.com/', tags: [''] }, 'tags'],
  ] as const) {
    const { status, body } = await ask(here, 'POST /api/destinations', { project: 1, kind, ...fields })
    assert.deepEqual([status, body.field], [400, field], JSON.stringify([kind, fields]))
    assert.ok(!JSON.stringify(body).includes(secret), JSON.stringify(body))
    assert.equal(typeof body.accepted, 'string')
  }
  assert.deepEqual(rows(here, 'select id from rowlock_destinations'), [])
})

test('private addresses are refused for every kind that has an address', async () => {
  const here = await openHub()
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', 'printer.local', '10.1.2.3'])
    for (const [kind, rest] of [
      ['webhook', {}],
      ['slack', {}],
      ['discord', {}],
      ['pagerduty', { routingKey: SECRETS.pagerduty }],
    ] as const) {
      const { body } = await ask(here, 'POST /api/destinations', {
        project: 1,
        kind,
        url: `https://${host}/a`,
        ...rest,
      })
      assert.deepEqual([body.status, body.field], [400, 'url'], `${kind} ${host}`)
    }
})

test('no list, delivery, problem or log holds a secret, whatever goes wrong', async () => {
  const here = await openHub()
  const seen: unknown[] = []
  for (const kind of kinds) {
    const id = await destination(here, { kind, ...FIELDS[kind] })
    // A runtime that puts what it was given into its error.
    here.reply = (post) => {
      throw new Error(`cannot POST ${post.url} ${new URL(post.url).pathname} ${post.body}`)
    }
    here.mailReply = ({ server }) => {
      throw new Error(`cannot log in ${server.user}:${server.password}`)
    }
    await notify(here, id)
    await here.hub.courier.round()
    seen.push((await ask(here, `POST /api/destinations/${id}/test`)).body)
    seen.push((await ask(here, `PATCH /api/destinations/${id}`, { enabled: false })).body)
    seen.push((await ask(here, `PATCH /api/destinations/${id}`, { enabled: 'no' })).body)
    seen.push((await ask(here, `PATCH /api/destinations/${id}`, { url: 'http://127.0.0.1/' })).body)
  }
  seen.push((await ask(here, 'GET /api/destinations')).body)
  seen.push((await ask(here, 'GET /api/deliveries')).body, here.problems)
  const text = JSON.stringify(seen)
  assert.match(text, /cannot POST/)
  for (const secret of Object.values(SECRETS)) assert.ok(!text.includes(secret), secret)
})

test('a removed destination keeps no secret', async () => {
  const here = await openHub()
  for (const kind of kinds) {
    const id = await destination(here, { kind, ...FIELDS[kind] })
    const { status, body } = await ask(here, `DELETE /api/destinations/${id}`)
    assert.deepEqual([status, body.id, body.enabled], [200, id, false])
  }
  assert.deepEqual(
    rows(here, 'select distinct secret from rowlock_destinations').map(({ secret }) => secret),
    [''],
  )
})

test('PagerDuty’s key goes to no other address than the one it was entered for', async () => {
  const here = await openHub()
  const id = await destination(here, { kind: 'pagerduty', ...FIELDS.pagerduty })
  const url = 'https://events.eu.pagerduty.com/v2/enqueue'
  assert.equal((await ask(here, `PATCH /api/destinations/${id}`, { url })).body.field, 'routingKey')
  const changed = await ask(here, `PATCH /api/destinations/${id}`, { url, ...FIELDS.pagerduty })
  assert.equal(changed.body.url, url)
})

test('what is not given stays; two people who change different things at once both get their way', async () => {
  const here = await openHub()
  const id = await destination(here, { kind: 'mail', ...FIELDS.mail, name: 'Night shift' })
  const change = async (changes: object) => {
    const { status, body } = await ask(here, `PATCH /api/destinations/${id}`, changes)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const changes = [
    { tags: ['floor-3', 'floor-4', 'floor-3'] },
    { only: 'outages' },
    { to: ['night@example.com'] },
    { from: 'hub@example.com' },
  ]
  await Promise.all(changes.map(change))
  const { name, tags, only, to, from, host, user } = await change({ enabled: true })
  assert.deepEqual(
    [name, tags, only, to, from, host, user],
    [
      'Night shift',
      ['floor-3', 'floor-4'],
      'outages',
      ['night@example.com'],
      'hub@example.com',
      'smtp.example.com',
      'rowlock',
    ],
  )
  assert.deepEqual((await change({ tags: null, only: null, name: null })).tags, [])
  assert.equal((await ask(here, `PATCH /api/destinations/${id}`, { kind: 'slack' })).body.field, 'kind')
  const [row] = rows(here, 'select secret, url from rowlock_destinations')
  assert.deepEqual(row, { secret: SECRETS.mail, url: 'mailto:night@example.com' })
})

test('a destination of before there were kinds is a webhook that gets everything', async () => {
  const here = await openHub()
  here.database.exec(`insert into rowlock_destinations (id, project, kind, url, secret, created_at)
    values ('wh-old', 1, 'webhook', 'https://hooks.example.com/old', '${SECRETS.webhook}', ${START})`)
  const { body } = await ask(here, 'PATCH /api/destinations/wh-old', { name: 'The first' })
  assert.deepEqual([body.name, body.only, body.tags, body.kind], ['The first', null, [], 'webhook'])
  await notify(here, 'wh-old')
  await here.hub.courier.round()
  assert.equal(JSON.parse(String(here.posts[0]?.body)).data.subject, 'tv-17')
})

test('issues go to every kind, and not to those that want outages only', async () => {
  const here = await openHub()
  for (const kind of kinds) await destination(here, { kind, ...FIELDS[kind] })
  await destination(here, { url: 'https://hooks.example.com/outages', only: 'outages' })
  await destination(here, { url: 'https://hooks.example.com/issues', only: 'issues', tags: ['floor-3'] })
  await here.app.request('/api/events', {
    method: 'POST',
    headers: { authorization: `Bearer ${here.project.ingestKey}` },
    body: JSON.stringify({ source: 'shop', message: 'stock ran out' }),
  })
  while ((await here.hub.courier.round()) > 0);
  assert.deepEqual(here.posts.map(({ url }) => url).sort(), [
    `https://discord.com/api/webhooks/1234567890/${SECRETS.discord}?thread_id=5`,
    'https://events.pagerduty.com/v2/enqueue',
    'https://hooks.example.com/a',
    'https://hooks.example.com/issues',
    `https://hooks.slack.com/services/T012/B345/${SECRETS.slack}`,
  ])
  assert.deepEqual(
    here.letters.map(({ subject, to }) => [subject, to]),
    [['shop: stock ran out', ['ops@example.com']]],
  )
})

test('a test notice reaches each kind', async () => {
  const here = await openHub()
  for (const kind of kinds) {
    const id = await destination(here, { kind, ...FIELDS[kind] })
    const status = kind === 'mail' ? 250 : 200
    assert.deepEqual((await ask(here, `POST /api/destinations/${id}/test`)).body, { ok: true, status })
  }
  assert.equal(here.posts.length, 4)
  assert.equal(here.letters[0]?.subject, 'Rowlock can reach you here')
})
