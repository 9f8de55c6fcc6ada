import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Mail } from '../../src/deliveries/mail.ts'
import { type NodeMailOptions, nodeMail } from '../../src/deliveries/mail-node.ts'
import { PrivateDestinationError } from '../../src/deliveries/send.ts'
import { ask, openHub, rows, type TestHub } from '../hub.ts'
import { certificate } from './certificate.ts'
import { postOffice } from './post-office.ts'
import { destination, notify } from './receiver.ts'

const here127 = async () => [{ address: '127.0.0.1', family: 4 }]
const trusting: NodeMailOptions = {
  allowPrivate: true,
  resolve: here127,
  certificates: certificate,
  idleMs: 20,
}

const letter: Mail = {
  server: {
    host: 'mail.example.test',
    port: 0,
    security: 'starttls',
    user: 'rowlock',
    password: 'letmein-please',
  },
  from: 'rowlock@example.com',
  to: ['ops@example.com', 'night@example.com'],
  subject: 'Lobby is down',
  text: 'Lobby is down\n',
  messageId: 'abc@example.com',
  threadId: 'thread@example.com',
}

const to = (port: number, server: Partial<Mail['server']> = {}): Mail => ({
  ...letter,
  server: { ...letter.server, port, ...server },
})

/** A hub whose e-mail goes to a mail server of this machine. */
async function open(context: TestContext) {
  const office = await postOffice(context)
  const here = await openHub({
    flags: { 'allow-private-destinations': true, 'public-url': 'https://rowlock.example.com' },
  })
  here.mailReply = nodeMail(trusting)
  const id = await destination(here, {
    kind: 'mail',
    host: 'mail.example.test',
    port: office.port,
    user: 'rowlock',
    password: 'letmein-please',
    from: 'rowlock@example.com',
    to: 'ops@example.com, night@example.com',
  })
  return { here, office, id }
}

const state = (here: TestHub) => rows(here, 'select state, last_error from rowlock_outbox order by id').at(-1)

/** The headers, unfolded, and the text. */
function parse(raw: string): { headers: Map<string, string>; text: string } {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = head
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line): [string, string] => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 2),
    ])
  return { headers: new Map(headers), text: rest.join('\r\n\r\n') }
}

test('an outage and its end reach people by e-mail, encrypted, signed in, in one thread', async (context) => {
  const { here, office, id } = await open(context)
  await notify(here, id)
  await here.hub.courier.round()
  await notify(here, id, { topic: 'subject.up', endedAt: here.now, durationMs: 90 * 60_000 })
  await here.hub.courier.round()
  const [down, up] = office.letters.map((one) => ({ ...one, ...parse(one.raw) }))
  assert.deepEqual(
    [down?.from, down?.to, down?.encrypted, down?.user],
    ['rowlock@example.com', ['ops@example.com', 'night@example.com'], true, 'rowlock'],
  )
  assert.equal(down?.headers.get('from'), 'Rowlock <rowlock@example.com>')
  assert.equal(down?.headers.get('subject'), 'Lobby (tv-17) is down')
  assert.equal(down?.headers.get('auto-submitted'), 'auto-generated')
  assert.equal(
    down?.text,
    [
      'Lobby (tv-17) is down',
      '',
      'Silent since: 2027-01-15 07:54 UTC',
      'Noticed: 2027-01-15 08:00 UTC',
      'Tags: floor-3',
      '',
      'https://rowlock.example.com/devices/tv-17?project=1',
      '',
      '-- ',
      'Sent by Rowlock',
      '',
    ].join('\r\n'),
  )
  assert.equal(up?.headers.get('subject'), 'Lobby (tv-17) is up again')
  assert.match(up?.text ?? '', /Was down for: 1 h 30 min/)
  assert.ok(down?.headers.get('references'))
  assert.equal(up?.headers.get('references'), down?.headers.get('references'))
  assert.notEqual(up?.headers.get('message-id'), down?.headers.get('message-id'))
})

test('every attempt has the same Message-ID', async (context) => {
  const { here, office, id } = await open(context)
  const ids: (string | undefined)[] = []
  office.refuse = (step, raw) => {
    if (step === 'letter') ids.push(parse(raw).headers.get('message-id'))
    return step === 'letter' && ids.length === 1 ? { code: 451, text: 'try later' } : undefined
  }
  await notify(here, id)
  await here.hub.courier.round()
  assert.deepEqual(state(here), { state: 'pending', last_error: 'the mail server answered 451 try later' })
  here.now += 3_600_000
  await here.hub.courier.round()
  assert.equal(state(here)?.state, 'sent')
  assert.match(String(ids[0]), /^<[0-9a-f]{40}@example\.com>$/)
  assert.equal(ids[0], ids[1])
})

test('what was written by others adds no header, no recipient and no command', async (context) => {
  const { here, office, id } = await open(context)
  const nasty = 'x\r\nBcc: evil@example.net\r\n\r\nhello\r\n.\r\nRCPT TO:<evil@example.net>\r\n\u2028y 在庫'
  await notify(here, id, { label: nasty, reason: nasty, tags: [nasty], subject: nasty })
  await here.hub.courier.round()
  const [one] = office.letters
  assert.equal(office.letters.length, 1)
  assert.deepEqual(one?.to, ['ops@example.com', 'night@example.com'])
  const { headers } = parse(String(one?.raw))
  assert.equal(headers.has('bcc'), false)
  assert.deepEqual([...headers.keys()].sort(), [
    'auto-submitted',
    'content-transfer-encoding',
    'content-type',
    'date',
    'from',
    'in-reply-to',
    'message-id',
    'mime-version',
    'references',
    'subject',
    'to',
    'x-auto-response-suppress',
  ])
  assert.match(String(headers.get('subject')), /^[\x20-\x7E]+$/)
  // And if a line end got as far as the letter itself:
  const raw = {
    ...to(office.port),
    subject: nasty,
    messageId: 'a>\r\nBcc: evil@example.net',
    threadId: 'b\r\nBcc: c@d.e',
  }
  assert.equal((await nodeMail(trusting)(raw)).code, 250)
  assert.equal(parse(String(office.letters[1]?.raw)).headers.has('bcc'), false)
})

test('addresses, servers and users that could carry more than themselves are refused by name', async () => {
  const here = await openHub()
  const good = {
    project: 1,
    kind: 'mail',
    host: 'smtp.example.com',
    from: 'rowlock@example.com',
    to: ['ops@example.com'],
  }
  const signedIn = { user: 'rowlock', password: 'letmein-please' }
  for (const [field, changes] of [
    ['from', { from: 'a@example.com\r\nBcc: b@example.com' }],
    ['from', { from: 'Rowlock <a@example.com>' }],
    ['from', { from: 'a@example.com,b@example.com' }],
    ['from', { from: '"a b"@example.com' }],
    ['from', { from: 'nobody' }],
    ['from', { from: undefined }],
    ['to', { to: 'a@example.com\nb@example.com' }],
    ['to', { to: [] }],
    ['to', { to: 5 }],
    ['to', { to: Array.from({ length: 21 }, (_, n) => `a${n}@example.com`) }],
    ['to', { to: ['a@example.com> BODY=8BITMIME'] }],
    ['host', { host: 'smtp.example.com\r\nQUIT' }],
    ['host', { host: undefined }],
    ['host', { host: '127.0.0.1' }],
    ['host', { host: 'localhost' }],
    ['host', { host: '[::1]' }],
    ['host', { host: 'http://smtp.example.com' }],
    ['port', { port: 0 }],
    ['port', { port: '25' }],
    ['security', { security: 'perhaps' }],
    ['security', { ...signedIn, security: 'none' }],
    ['user', { ...signedIn, user: 'a\r\nb' }],
    ['password', { ...signedIn, password: 'a\r\nb' }],
    ['password', { user: 'rowlock' }],
    ['password', { password: 'letmein-please' }],
    ['url', { url: 'https://example.com/' }],
    ['routingKey', { routingKey: 'x' }],
  ] as const) {
    const { status, body } = await ask(here, 'POST /api/destinations', { ...good, ...changes })
    assert.deepEqual([status, body.field], [400, field], JSON.stringify(changes))
    assert.doesNotMatch(JSON.stringify(body), /letmein/)
  }
  const { status, body } = await ask(here, 'POST /api/destinations', { ...good, ...signedIn })
  assert.deepEqual(
    [status, body.port, body.security, body.url],
    [201, 587, 'starttls', 'mailto:ops@example.com'],
  )
  const tls = await ask(here, 'POST /api/destinations', { ...good, ...signedIn, port: 465 })
  assert.equal(tls.body.security, 'tls')
})

test('a kept password goes to no other server, user or encryption', async () => {
  const here = await openHub()
  const id = await destination(here, {
    kind: 'mail',
    host: 'smtp.example.com',
    from: 'rowlock@example.com',
    to: 'ops@example.com',
    user: 'rowlock',
    password: 'letmein-please',
  })
  const change = (changes: object) => ask(here, `PATCH /api/destinations/${id}`, changes)
  for (const changes of [{ host: 'smtp.example.net' }, { port: 465 }, { user: 'other' }, { security: 'tls' }])
    assert.deepEqual([(await change(changes)).status, (await change(changes)).body.field], [400, 'password'])
  assert.deepEqual((await change({ security: 'none' })).body.field, 'security')
  assert.deepEqual((await change({ to: ['night@example.com'] })).body.to, ['night@example.com'])
  assert.equal(
    (await change({ host: 'smtp.example.net', password: 'another' })).body.host,
    'smtp.example.net',
  )
  const [row] = rows(here, 'select secret from rowlock_destinations')
  assert.equal(row?.secret, 'another')
})

test('the server’s "not now" is tried again, its "never" is dead, and neither tells a secret', async (context) => {
  for (const [step, code, left] of [
    ['login', 454, 'pending'],
    ['login', 535, 'dead'],
    ['recipient', 450, 'pending'],
    ['recipient', 550, 'dead'],
    ['letter', 452, 'pending'],
    ['letter', 554, 'dead'],
  ] as const) {
    const { here, office, id } = await open(context)
    office.refuse = (at) => (at === step ? { code, text: 'no: letmein-please' } : undefined)
    await notify(here, id)
    await here.hub.courier.round()
    assert.equal(state(here)?.state, left, `${step} ${code}`)
    assert.match(String(state(here)?.last_error), new RegExp(`^the mail server answered ${code} .*\\*\\*\\*`))
    const seen = JSON.stringify([(await ask(here, 'GET /api/deliveries')).body, here.problems])
    assert.doesNotMatch(seen, /letmein/)
    office.refuse = () => undefined
  }
})

test('one refused recipient of several does not keep the letter from the others', async (context) => {
  const { here, office, id } = await open(context)
  office.refuse = (step, address) =>
    step === 'recipient' && address.startsWith('night') ? { code: 550, text: 'gone' } : undefined
  await notify(here, id)
  await here.hub.courier.round()
  assert.deepEqual(office.letters[0]?.to, ['ops@example.com'])
  assert.equal(state(here)?.state, 'sent')
  assert.deepEqual(here.problems, ['delivery 1 was sent, but the mail server refused night@example.com'])
  assert.deepEqual((await ask(here, `POST /api/destinations/${id}/test`)).body, {
    ok: true,
    status: 250,
    error: 'the mail server refused night@example.com',
  })
})

test('letters of one turn share one connection; the next turn has its own', async (context) => {
  const { here, office, id } = await open(context)
  for (let n = 0; n < 4; n++) await notify(here, id, { subject: `tv-${n}` })
  assert.equal(await here.hub.courier.round(), 4)
  assert.equal(office.letters.length, 4)
  assert.equal(new Set(office.letters.map(({ connection }) => connection)).size, 1)
  await notify(here, id, { subject: 'tv-5' })
  await here.hub.courier.round()
  assert.equal(new Set(office.letters.map(({ connection }) => connection)).size, 2)
})

test('encrypted from the first byte, or not at all where that was asked for', async (context) => {
  const tls = await postOffice(context, { security: 'tls' })
  assert.equal((await nodeMail(trusting)(to(tls.port, { security: 'tls' }))).code, 250)
  assert.equal(tls.letters[0]?.encrypted, true)
  const plain = await postOffice(context, { security: 'none', login: false })
  const anonymous = { security: 'none', user: null, password: '' } as const
  assert.equal((await nodeMail(trusting)(to(plain.port, anonymous))).code, 250)
  assert.equal(plain.letters[0]?.encrypted, false)
})

test('without STARTTLS, and with a certificate of somebody else, nothing is said', async (context) => {
  const plain = await postOffice(context, { security: 'none', login: false })
  await assert.rejects(nodeMail(trusting)(to(plain.port, { user: null, password: '' })), /STARTTLS/)
  const office = await postOffice(context)
  const { certificates: _, ...doubting } = trusting
  await assert.rejects(nodeMail(doubting)(to(office.port)), /self-signed certificate/)
  await assert.rejects(nodeMail(trusting)(to(office.port, { host: 'other.example.test' })), /altnames/)
  assert.deepEqual([plain.letters, office.letters], [[], []])
})

test('private addresses are refused before a connection is made', async (context) => {
  const office = await postOffice(context)
  const guarded = { ...trusting, allowPrivate: false }
  for (const host of ['mail.example.test', '127.0.0.1', 'localhost', '::1', '2130706433'])
    await assert.rejects(nodeMail(guarded)(to(office.port, { host })), PrivateDestinationError, host)
  assert.equal(office.connections, 0)
  const here = await openHub()
  here.mailReply = nodeMail(guarded)
  const fields = { from: 'a@example.com', to: 'b@example.com' }
  const id = await destination(here, { kind: 'mail', host: 'mail.example.test', ...fields })
  await notify(here, id)
  await here.hub.courier.round()
  assert.equal(state(here)?.state, 'dead')
  assert.match(String(state(here)?.last_error), /private or local address/)
})

test('silence ends with the time-out, before the greeting and within a letter', async (context) => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  context.after(() => mute.close())
  const impatient = { ...trusting, timeoutMs: 200 }
  const { port } = mute.address() as AddressInfo
  await assert.rejects(nodeMail(impatient)(to(port)), /did not take it within 200 ms/)
  const office = await postOffice(context)
  const gate = Promise.withResolvers<void>()
  office.hold = gate.promise
  await assert.rejects(nodeMail(impatient)(to(office.port)), /did not take it within 200 ms/)
  gate.resolve()
})

test('a hub that reaches no mail servers says so, when one is entered and when one is there', async (context) => {
  const { here, id } = await open(context)
  const { hub } = here
  const { createHub } = await import('../../src/hub.ts')
  const without = createHub({ driver: hub.ground.driver, config: hub.config, clock: () => here.now })
  await assert.rejects(
    without.destinations.add(1, { kind: 'mail' }),
    /cannot speak to mail servers: that takes one on Node, not on Workers/,
  )
  await notify(here, id)
  await without.courier.round()
  assert.deepEqual(state(here), {
    state: 'dead',
    last_error: 'this hub cannot speak to mail servers: that takes one on Node',
  })
})
