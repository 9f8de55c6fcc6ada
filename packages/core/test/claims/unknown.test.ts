import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClaimsOptions, createClaims } from '../../src/claims/index.ts'
import { sql, statement } from '../../src/port/sql.ts'
import { freshDriver, type Mishap, unreliable } from './given.ts'

/** Claims whose nth `name` goes wrong, and claims beside them that work. */
async function shaky(mishaps: Record<string, Record<number, Mishap>>, options: ClaimsOptions = {}) {
  const plain = await freshDriver()
  const { driver, sent } = unreliable(plain, mishaps)
  const given = { ttl: 100, lookFirst: false, ...options }
  return { claims: createClaims(driver, given), plain: createClaims(plain, given), sent, driver }
}

test('a win whose answer is lost is found by its holder, and written only once', async () => {
  const { claims, plain, sent } = await shaky({ 'claims.acquire': { 1: 'answer lost' } })
  const claim = await claims.acquire('k', { holder: 'anna', now: 1000 })
  assert.deepEqual(claim, {
    won: true,
    key: 'k',
    token: 1000,
    holder: 'anna',
    expiresAt: 1100,
    from: 'first',
  })
  assert.deepEqual(sent, ['claims.acquire', 'claims.look'])
  assert.equal((await plain.inspect('k', { now: 1000 }))?.token, 1000)
})

test('a later win whose answer is lost is known to be a later one', async () => {
  const { claims, plain } = await shaky({ 'claims.acquire': { 1: 'answer lost' } })
  await plain.acquire('k', { now: 800 })
  const claim = await claims.acquire('k', { now: 1000 })
  assert.deepEqual([claim.won, claim.won && claim.from, claim.won && claim.token], [true, 'again', 1001])
})

test('a loss whose answer is lost is a loss', async () => {
  for (const mishap of ['answer lost', 'never sent'] as const) {
    const { claims, plain } = await shaky({ 'claims.acquire': { 1: mishap } })
    await plain.acquire('k', { holder: 'ben', now: 1000 })
    const outcome = await claims.acquire('k', { now: 1000 })
    assert.deepEqual(outcome, {
      won: false,
      reason: 'held',
      expiresAt: 1100,
      retryAfterMs: 101,
      token: 1000,
      holder: 'ben',
    })
  }
})

test('what cannot be found out is unknown: neither a win nor a loss, and not tried again unasked', async () => {
  const cases: Record<string, Record<number, Mishap>>[] = [
    { 'claims.acquire': { 1: 'never sent' } },
    { 'claims.acquire': { 1: 'answer lost' }, 'claims.look': { 1: 'never sent' } },
    { 'claims.acquire': { 1: 'answer lost' }, 'claims.look': { 1: 'answer lost' } },
  ]
  for (const mishaps of cases) {
    const { claims, sent } = await shaky(mishaps)
    const outcome = await claims.acquire('k', { holder: 'anna', now: 1000 })
    assert.ok(!outcome.won && outcome.reason === 'unknown')
    assert.equal(outcome.cause.code, 'UNAVAILABLE')
    assert.equal(sent.filter((name) => name === 'claims.acquire').length, 1)
    // The caller may ask again under the same holder, and is told the truth.
    const again = await claims.acquire('k', { holder: 'anna', now: 1001 })
    assert.ok(again.won && again.holder === 'anna')
    await assert.rejects(claims.acquireOrThrow('k', { now: 1001 }), { code: 'CONFLICT' })
  }
  const { claims } = await shaky({ 'claims.acquire': { 1: 'never sent' } })
  await assert.rejects(claims.acquireOrThrow('k'), { code: 'UNAVAILABLE', applied: 'no' })
})

test('a look that fails before the claim is unknown as well', async () => {
  const { claims } = await shaky({ 'claims.look': { 1: 'never sent' } }, { lookFirst: true })
  const outcome = await claims.acquire('k', { now: 1000 })
  assert.ok(!outcome.won && outcome.reason === 'unknown')
})

test('a batch whose answer is lost has been written with its companions, once', async () => {
  const { claims, driver } = await shaky({ 'claims.acquire': { 1: 'answer lost' } })
  const run = (text: ReturnType<typeof sql>) =>
    driver.execute(statement(driver.dialect, text, { name: 'test' }))
  await run(sql`create table notes (body text)`)
  const also = [statement(driver.dialect, sql`insert into notes (body) values ('won')`, { name: 'note' })]
  const claim = await claims.acquire('k', { also, now: 1000 })
  assert.ok(claim.won)
  assert.equal((await run(sql`select body from notes`)).length, 1)
})

test('of many keys, what can be found out is answered and the rest is unknown', async () => {
  const { claims, plain } = await shaky({ 'claims.acquireMany': { 1: 'never sent' } })
  await plain.acquire('held', { now: 1000 })
  const outcomes = await claims.acquireMany(['free', 'held'], { now: 1000 })
  assert.deepEqual(
    outcomes.map((outcome) => outcome.won || outcome.reason),
    ['unknown', 'held'],
  )

  const lost = await shaky({ 'claims.acquireMany': { 1: 'answer lost' } })
  const won = await lost.claims.acquireMany(['a', 'b'], { now: 1000 })
  assert.deepEqual(
    won.map((outcome) => outcome.won && outcome.from),
    ['first', 'first'],
  )
})

test('changes whose answer is lost are unknown, and may be asked for again', async () => {
  const { claims } = await shaky({
    'claims.renew': { 1: 'answer lost' },
    'claims.complete': { 1: 'answer lost' },
    'claims.release': { 1: 'answer lost', 2: 'never sent' },
  })
  const claim = await claims.acquireOrThrow('k', { now: 1000 })
  const renewed = await claims.renew(claim, { now: 1000 })
  assert.ok(!renewed.renewed && renewed.reason === 'unknown')
  assert.deepEqual(await claims.renew(claim, { now: 1000 }), { renewed: true, expiresAt: 1100 })
  const completed = await claims.complete(claim, 1, { now: 1000 })
  assert.ok(!completed.completed && completed.reason === 'unknown')
  assert.deepEqual(await claims.complete(claim, 1, { now: 1000 }), { completed: true, expiresAt: 1100 })

  const other = await claims.acquireOrThrow('other', { now: 1000 })
  for (let times = 0; times < 2; times++) {
    const released = await claims.release(other, { now: 1000 })
    assert.ok(!released.released && released.reason === 'unknown')
  }
  assert.deepEqual(await claims.release(other, { now: 1000 }), { released: true })
})

test('a result whose recording is unknown is not lost to the caller, and the key is not freed', async () => {
  const { claims } = await shaky({ 'claims.complete': { 1: 'never sent' } })
  const outcome = await claims.once('k', { ttl: '1h', now: 1000 }, () => 'done')
  assert.deepEqual(outcome, { ran: true, result: 'done', recorded: 'unknown' })
  assert.equal((await claims.inspect('k', { now: 1000 }))?.state, 'held')
})
