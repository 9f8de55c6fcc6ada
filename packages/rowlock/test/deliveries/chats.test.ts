import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { nodeSend } from '../../src/deliveries/send-node.ts'
import { openHub, rows, START, send, type TestHub } from '../hub.ts'
import { type Body, destination, notify, type Received, type Receiver, receiver } from './receiver.ts'

const kinds = ['slack', 'discord', 'pagerduty'] as const
const KEY = 'R0ut1ngK3yR0ut1ngK3yR0ut1ngK3yRR'

/** A hub that sends over HTTP to a server of this machine, and one destination there. */
async function open(
  context: TestContext,
  kind: (typeof kinds)[number],
): Promise<{ here: TestHub; chat: Receiver; id: string }> {
  const chat = await receiver(context)
  const here = await openHub({
    flags: { 'allow-private-destinations': true, 'public-url': 'https://rowlock.example.com' },
  })
  here.reply = nodeSend({ allowPrivate: true })
  const fields =
    kind === 'pagerduty'
      ? { url: `${chat.url}/v2/enqueue`, routingKey: KEY }
      : { url: `${chat.url}/services/T0/B0/s3cr3t` }
  return { here, chat, id: await destination(here, { kind, ...fields }) }
}

const event = { source: 'shop', level: 'fatal', message: 'stock ran out' }
const seconds = START / 1000

test('Slack is told of an issue and of an outage', async (context) => {
  const { here, chat, id } = await open(context, 'slack')
  await send(here, event)
  await here.hub.courier.round()
  await notify(here, id)
  await here.hub.courier.round()
  const [issue, outage] = chat.received
  assert.equal(issue?.path, '/services/T0/B0/s3cr3t')
  assert.match(String(issue?.headers['content-type']), /^application\/json/)
  assert.equal(
    issue?.body.text,
    [
      ':red_circle: *shop: stock ran out*',
      '*Level:* fatal',
      '*Events:* 1 new, 1 in all',
      `*First seen:* <!date^${seconds}^{date_short_pretty} {time}|2027-01-15 08:00 UTC>`,
      `*Last seen:* <!date^${seconds}^{date_short_pretty} {time}|2027-01-15 08:00 UTC>`,
      '<https://rowlock.example.com/|Open in Rowlock>',
    ].join('\n'),
  )
  assert.equal(
    outage?.body.text,
    [
      ':red_circle: *Lobby (tv-17) is down*',
      `*Silent since:* <!date^${seconds - 360}^{date_short_pretty} {time}|2027-01-15 07:54 UTC>`,
      `*Noticed:* <!date^${seconds}^{date_short_pretty} {time}|2027-01-15 08:00 UTC>`,
      '*Tags:* floor-3',
      '<https://rowlock.example.com/devices/tv-17?project=1|Open in Rowlock>',
    ].join('\n'),
  )
  assert.deepEqual(outage?.body.blocks.map(({ text }) => text.text).join('\n'), outage?.body.text)
})

test('Discord is told of an outage and of its end', async (context) => {
  const { here, chat, id } = await open(context, 'discord')
  await notify(here, id, { cause: 'failed', reason: 'exit status 2' })
  await here.hub.courier.round()
  await notify(here, id, { topic: 'subject.up', endedAt: here.now, durationMs: 6 * 60_000 })
  await here.hub.courier.round()
  assert.deepEqual(chat.received[0]?.body, {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: 'Lobby \\(tv\\-17\\) is down',
        color: 0xd64545,
        url: 'https://rowlock.example.com/devices/tv-17?project=1',
        fields: [
          { name: 'Failed at', value: `<t:${seconds - 360}:f> (<t:${seconds - 360}:R>)`, inline: true },
          { name: 'Noticed', value: `<t:${seconds}:f> (<t:${seconds}:R>)`, inline: true },
          { name: 'Reason', value: 'exit status 2', inline: true },
          { name: 'Tags', value: 'floor\\-3', inline: true },
        ],
      },
    ],
  })
  const [end] = chat.received[1]?.body.embeds ?? []
  assert.equal(end?.title, 'Lobby \\(tv\\-17\\) is up again')
  assert.deepEqual(end?.fields[0], { name: 'Was down for', value: '6 min', inline: true })
})

test('PagerDuty has one incident of an outage: opened, reminded of, resolved', async (context) => {
  const { here, chat, id } = await open(context, 'pagerduty')
  chat.answer = () => [202]
  for (const topic of ['subject.down', 'subject.still-down', 'subject.up']) {
    await notify(here, id, { topic })
    await here.hub.courier.round()
    here.now += 3_600_000
  }
  const [down, still, up] = chat.received.map(({ body }) => body) as [Body, Body, Body]
  assert.deepEqual(down, {
    routing_key: KEY,
    event_action: 'trigger',
    dedup_key: 'rowlock:subject:1:tv-17',
    client: 'Rowlock',
    client_url: 'https://rowlock.example.com/devices/tv-17?project=1',
    links: [{ href: 'https://rowlock.example.com/devices/tv-17?project=1', text: 'Open in Rowlock' }],
    payload: {
      summary: 'Lobby (tv-17) is down',
      source: 'rowlock',
      severity: 'critical',
      timestamp: '2027-01-15T08:00:00.000Z',
      custom_details: {
        'Silent since': '2027-01-15 07:54 UTC',
        Noticed: '2027-01-15 08:00 UTC',
        Tags: 'floor-3',
      },
    },
  })
  assert.deepEqual([still.event_action, still.dedup_key], ['trigger', down.dedup_key])
  assert.equal(still.payload.summary, 'Lobby (tv-17) is still down')
  assert.deepEqual(up, { routing_key: KEY, event_action: 'resolve', dedup_key: down.dedup_key })
})

test('PagerDuty has one incident of many outages that were told as one', async (context) => {
  const { here, chat, id } = await open(context, 'pagerduty')
  for (const [topic, mass] of [
    ['fleet.down', { count: 37 }],
    ['fleet.still-down', { count: 12, of: 37 }],
    ['fleet.up', { count: 37 }],
  ] as const) {
    await notify(here, id, { topic, mass })
    await here.hub.courier.round()
  }
  assert.deepEqual(
    chat.received.map(({ body }) => [body.event_action, body.dedup_key, body.payload?.summary]),
    [
      ['trigger', 'rowlock:fleet:1', '37 devices are down'],
      ['trigger', 'rowlock:fleet:1', '12 of 37 devices are still down'],
      ['resolve', 'rowlock:fleet:1', undefined],
    ],
  )
})

test('PagerDuty: the level of an issue is its severity, and a long id still has a key of its own', async (context) => {
  const { here, chat, id } = await open(context, 'pagerduty')
  for (const level of ['fatal', 'error', 'warning', 'info', 'debug'])
    await send(here, { ...event, level, fingerprint: level })
  await here.hub.courier.round()
  await here.hub.courier.round()
  assert.deepEqual(chat.received.map(({ body }) => [body.dedup_key, body.payload.severity]).sort(), [
    ['rowlock:issue:1-debug', 'info'],
    ['rowlock:issue:1-error', 'error'],
    ['rowlock:issue:1-fatal', 'critical'],
    ['rowlock:issue:1-info', 'info'],
    ['rowlock:issue:1-warning', 'warning'],
  ])
  await notify(here, id, { subject: 'a'.repeat(300) })
  await notify(here, id, { subject: `${'a'.repeat(299)}b` })
  await here.hub.courier.round()
  const [one, other] = chat.received.slice(-2).map(({ body }) => body.dedup_key) as [string, string]
  assert.match(one, /^rowlock:[0-9a-f]{64}$/)
  assert.notEqual(one, other)
})

test('many devices at once are one message', async (context) => {
  for (const kind of kinds) {
    const { here, chat, id } = await open(context, kind)
    const subjects = [{ id: 'tv-1', label: 'Hall' }, { id: 'tv-2', label: null }, 'tv-3']
    await notify(here, id, { topic: 'fleet.down', mass: { count: 37, subjects } })
    await here.hub.courier.round()
    assert.match(JSON.stringify(chat.received[0]?.body), /37 devices are down/)
    assert.match(JSON.stringify(chat.received[0]?.body), /Hall, tv.*-2, tv.*-3 and 34 more/)
  }
})

const nasty = '<!channel> @everyone & *b* [x](https://evil.example) `c` <@U1>\n\u202E\u0007_i_'

test('nothing that others wrote becomes a mention, a link or markup', async (context) => {
  const slack = await open(context, 'slack')
  await notify(slack.here, slack.id, { label: nasty, reason: nasty, tags: [nasty] })
  await slack.here.hub.courier.round()
  const { body } = slack.chat.received[0] as Received
  const shown = '&lt;!channel&gt; @everyone &amp; *b* [x](https://evil.example) `c` &lt;@U1&gt; _i_'
  assert.ok(body.text.includes(`*${shown} (tv-17) is down*`), body.text)
  assert.ok(body.text.includes(`*Reason:* ${shown}`))
  assert.deepEqual([...body.text.matchAll(/<([^>|^]*)/g)].map(([, inside]) => inside).sort(), [
    '!date',
    '!date',
    'https://rowlock.example.com/devices/tv-17?project=1',
  ])
  assert.deepEqual([body.parse, body.link_names, body.unfurl_links], ['none', false, false])
  assert.ok(body.blocks.every(({ text }) => text.verbatim))

  const discord = await open(context, 'discord')
  await notify(discord.here, discord.id, { label: nasty, reason: nasty })
  await discord.here.hub.courier.round()
  const embed = discord.chat.received[0]?.body.embeds[0] as Body['embeds'][number]
  assert.ok(
    embed.title.startsWith(
      '\\<!channel\\> \\@everyone & \\*b\\* \\[x\\]\\(https\\://evil.example\\) \\`c\\` \\<\\@U1\\> \\_i\\_',
    ),
    embed.title,
  )
  assert.deepEqual(discord.chat.received[0]?.body.allowed_mentions, { parse: [] })
})

test('texts without end are cut to what each channel takes, and no escape is cut through', async (context) => {
  const long = { label: '<'.repeat(5_000), reason: '&*'.repeat(5_000), tags: ['>'.repeat(5_000)] }
  const slack = await open(context, 'slack')
  await notify(slack.here, slack.id, long)
  await slack.here.hub.courier.round()
  for (const { text } of slack.chat.received[0]?.body.blocks ?? []) {
    assert.ok(text.text.length <= 3_000)
    assert.doesNotMatch(text.text, /&(?!(amp|lt|gt);)/)
  }
  const discord = await open(context, 'discord')
  await notify(discord.here, discord.id, long)
  await discord.here.hub.courier.round()
  const embed = discord.chat.received[0]?.body.embeds[0] as Body['embeds'][number]
  assert.ok(embed.title.length <= 256 && JSON.stringify(embed).length <= 6_000)
  assert.ok(embed.fields.every(({ value }) => value.length <= 1_024))
  assert.doesNotMatch(embed.title, /(?<!\\)(\\\\)*\\…/)
})

test('a payload that lacks everything, or a topic of tomorrow, is still told', async (context) => {
  for (const kind of kinds) {
    const { here, chat, id } = await open(context, kind)
    for (const topic of [
      'issue.won',
      'subject.down',
      'subject.up',
      'subject.still-down',
      'fleet.down',
      'fleet.still-down',
      'fleet.up',
      'fleet.sold',
    ])
      await here.hub.outbox.enqueue([{ topic, destination: id, dedupKey: `${topic}:${id}`, payload: null }])
    while ((await here.hub.courier.round()) > 0);
    assert.equal(chat.received.length, 8)
    assert.deepEqual(
      rows(here, 'select distinct state from rowlock_outbox').map(({ state }) => state),
      ['sent'],
    )
  }
})

test('too many requests and trouble there: again, not before they ask for it; refusals are dead', async (context) => {
  for (const kind of kinds) {
    for (const [status, retryAfter, state, waits] of [
      [429, '30', 'pending', 30_000],
      [429, '0.65', 'pending', 650],
      [503, undefined, 'pending', 1],
      [500, undefined, 'pending', 1],
      [400, undefined, 'dead', 0],
      [403, undefined, 'dead', 0],
      [404, undefined, 'dead', 0],
    ] as const) {
      const { here, chat, id } = await open(context, kind)
      chat.answer = () => [status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }]
      await notify(here, id)
      await here.hub.courier.round()
      const [row] = rows(here, 'select state, not_before, last_error from rowlock_outbox')
      assert.equal(row?.state, state, `${kind} ${status}`)
      assert.equal(row?.last_error, `the destination answered ${status}`)
      assert.ok(Number(row?.not_before) - here.now >= waits, `${kind} ${status} ${retryAfter}`)
      if (state === 'dead') continue
      chat.answer = () => [200]
      here.now += 3_600_000
      await here.hub.courier.round()
      assert.deepEqual(chat.received[0]?.body, chat.received[1]?.body)
    }
  }
})
