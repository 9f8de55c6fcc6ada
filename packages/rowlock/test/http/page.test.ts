import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, openHub, send, type TestHub } from '../hub.ts'

const own = { 'sec-fetch-site': 'same-origin' }

function form(
  here: TestHub,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = own,
) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return here.app.request(path, {
    method: 'POST',
    headers: { ...type, ...headers },
    body: new URLSearchParams(fields).toString(),
  })
}

async function signIn(here: TestHub): Promise<string> {
  const response = await form(here, '/sign-in', { token: here.adminToken })
  assert.equal(response.status, 303)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

async function page(here: TestHub, path: string, cookie: string): Promise<string> {
  const response = await here.app.request(path, { headers: { cookie } })
  assert.equal(response.status, 200)
  return await response.text()
}

test('without a session the page asks for a token and shows nothing else', async () => {
  const here = await openHub()
  await send(here, { message: 'secret trouble' })
  for (const cookie of [
    '',
    'rowlock_session=',
    'rowlock_session=nonsense',
    `rowlock_session=${'x'.repeat(43)}`,
  ]) {
    const text = await page(here, '/', cookie)
    assert.match(text, /<label for="token">Token<\/label>/)
    assert.ok(!text.includes('secret trouble') && !text.includes(here.project.ingestKey))
  }
})

test('signed in, it shows issues, deliveries and a snippet that works', async () => {
  const here = await openHub()
  await send(here, [
    { message: 'disk almost full', source: 'db' },
    { message: 'disk almost full', source: 'db' },
  ])
  const cookie = await signIn(here)
  const text = await page(here, '/', cookie)
  assert.match(text, /disk almost full/)
  assert.match(text, /data-label="Events">2</)
  assert.match(text, /No deliveries yet/)
  const key = /Authorization: Bearer ([0-9a-f]{32})/.exec(text)?.[1]
  const body = /-d '(.*?)'/.exec(text)?.[1]
  const sent = await here.app.request('/api/events', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: String(body),
  })
  assert.equal(sent.status, 200)
  assert.match(await page(here, '/', cookie), /Hello from curl/)
})

test('what senders write is shown as text', async () => {
  const here = await openHub()
  const evil = `<script>alert(1)</script>"><img src=x onerror=alert(1)>`
  await send(here, { message: evil, source: `'"><b>` })
  const text = await page(here, '/', await signIn(here))
  assert.ok(!text.includes('<script') && !text.includes('<img') && !text.includes('<b>'))
  assert.match(text, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/)
})

test('the cookie is out of reach of scripts and other sites', async () => {
  const here = await openHub()
  const plain = (await form(here, '/sign-in', { token: here.adminToken })).headers.get('set-cookie') ?? ''
  assert.match(plain, /HttpOnly/)
  assert.match(plain, /SameSite=Strict/)
  assert.doesNotMatch(plain, /Secure/)
  const behindTls = await openHub({ flags: { 'public-url': 'https://hub.example.com' } })
  assert.match(
    (await form(behindTls, '/sign-in', { token: behindTls.adminToken })).headers.get('set-cookie') ?? '',
    /Secure/,
  )
})

test('requests that come from elsewhere change nothing, cookie or not', async () => {
  const here = await openHub()
  const { body } = await send(here, { message: 'x' })
  const cookie = await signIn(here)
  const strangers: Record<string, string>[] = [
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]
  for (const headers of strangers) {
    const requests = [`/issues/${body.issue}/resolve`, `/api/issues/${body.issue}/resolve`, '/sign-out']
    for (const path of requests)
      assert.equal(
        (await form(here, path, {}, { cookie, ...headers })).status,
        403,
        `${path} ${JSON.stringify(headers)}`,
      )
    assert.equal((await form(here, '/sign-in', { token: here.adminToken }, headers)).status, 403)
  }
  assert.equal((await ask(here, `GET /api/issues/${body.issue}`)).body.state, 'open')
  assert.equal(
    (
      await form(
        here,
        `/issues/${body.issue}/resolve`,
        {},
        { cookie, origin: 'http://localhost', host: 'localhost' },
      )
    ).status,
    303,
  )
  assert.equal((await ask(here, `GET /api/issues/${body.issue}`)).body.state, 'resolved')
})

test('signing out ends the session, and so does revoking its token', async () => {
  const here = await openHub()
  const cookie = await signIn(here)
  assert.equal((await form(here, '/sign-out', {}, { ...own, cookie })).status, 303)
  assert.match(await page(here, '/', cookie), /<label for="token">/)
  const again = await signIn(here)
  await here.hub.tokens.revoke('admin')
  assert.match(await page(here, '/', again), /<label for="token">/)
})

test('a session ends after a week', async () => {
  const here = await openHub()
  const cookie = await signIn(here)
  here.now += 7 * 24 * 3_600_000
  assert.match(await page(here, '/', cookie), /Sign out/)
  here.now += 1
  assert.match(await page(here, '/', cookie), /<label for="token">/)
  assert.equal(await here.hub.sessions.sweep(), 1)
})

test('a wrong token is said so, and guessing is slowed down here too', async () => {
  const here = await openHub()
  for (let n = 0; n < 10; n++)
    assert.equal((await form(here, '/sign-in', { token: `wrong ${n}` })).status, 401)
  assert.equal((await form(here, '/sign-in', { token: 'wrong' })).status, 429)
})

test('pages follow each other, filtered by state', async () => {
  const here = await openHub()
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN'
  for (const letter of letters) {
    here.now += 1
    await send(here, { message: 'x', fingerprint: `issue-${letter}` })
  }
  const cookie = await signIn(here)
  const first = await page(here, '/', cookie)
  const next = /href="(\/\?cursor=[^"]+)"/.exec(first)?.[1]
  const second = await page(here, String(next), cookie)
  const count = (text: string) => text.match(/<td class="title">/g)?.length
  assert.deepEqual([count(first), count(second)], [30, 10])
  assert.match(await page(here, '/?state=resolved', cookie), /No issues here/)
  assert.match(
    await page(here, '/?state=resolved', cookie),
    /<a href="\/\?state=resolved" aria-current="page">/,
  )
})

test('nothing is loaded from elsewhere, and nothing may run', async () => {
  const here = await openHub()
  const response = await here.app.request('/')
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.doesNotMatch(policy, /unsafe|script-src|https?:/)
  assert.equal(response.headers.get('cache-control'), 'no-store')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  const text = await response.text()
  assert.doesNotMatch(text, /<script|<style|style=|\son[a-z]+="|https?:\/\//)
  const style = await here.app.request('/style.css')
  assert.match(style.headers.get('content-type') ?? '', /^text\/css/)
  assert.doesNotMatch(await style.text(), /url\(|@import/)
})
