import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Driver } from '@rowlock/core'
import { UnavailableError } from '@rowlock/core'
import { startChecking } from '../../src/fleet/check-loop.ts'
import type { Checker } from '../../src/fleet/checker.ts'
import { ask, HOUR, MINUTE, openHub } from '../hub.ts'
import { makeDevice, outages, pass, ping } from './given.ts'

type Json = Record<string, unknown>

test('an outage reaches every destination of its project, once, and its end too', async () => {
  const here = await openHub()
  const other = await here.hub.projects.add('other', { window: '1h' })
  for (const project of [1, 1, other.id]) {
    await ask(here, 'POST /api/destinations', { project, url: 'https://hooks.example.com/a' })
  }
  const { body: device } = await ask(here, 'POST /api/devices?project=1', { id: 'a', name: 'TV' })
  await ping(here, `/ping/${device.uuid}`)
  await pass(here, 10 * MINUTE)
  await here.hub.courier.round()
  const types = () => here.posts.splice(0).map(({ body }) => JSON.parse(body).type as string)
  assert.deepEqual(types(), ['subject.down', 'subject.down'])
  await ping(here, `/ping/${device.uuid}`)
  await here.hub.courier.round()
  assert.deepEqual(types(), ['subject.up', 'subject.up'])
  await pass(here, 3 * MINUTE)
  await here.hub.courier.round()
  assert.deepEqual(types(), [])
})

test('ticks never overlap, and tell of what went wrong', async () => {
  let broken = false
  const around = ({ grouping: _, ...driver }: Driver): Driver => ({
    ...driver,
    execute: (statement) =>
      broken ? Promise.reject(new UnavailableError('gone', 'no')) : driver.execute(statement),
    batch: (statements) =>
      broken ? Promise.reject(new UnavailableError('gone', 'no')) : driver.batch(statements),
  })
  const here = await openHub({ around })
  const { checker } = here.hub.fleet
  await makeDevice(here, { id: 'a' })
  await Promise.all(Array.from({ length: 5 }, () => checker.tick()))
  assert.deepEqual(
    [here.hub.metrics.read('checks_total'), checker.lastTickAt, checker.failure],
    [1, here.now, undefined],
  )
  broken = true
  here.now += MINUTE
  await checker.tick()
  assert.deepEqual(here.problems, ['checking the devices failed: gone'])
  assert.equal((checker.failure as Error).message, 'gone')
  broken = false
  await checker.tick()
  assert.deepEqual([checker.lastTickAt, checker.failure], [here.now, undefined])
})

test('red when the last check is too old; green without devices, and after a check by any node', async () => {
  const here = await openHub()
  const ready = async () => (await ask(here, 'GET /readyz', undefined, null)).status
  here.now += 24 * HOUR
  assert.equal(await ready(), 200)
  await makeDevice(here, { id: 'a' })
  here.now += 5 * MINUTE
  assert.equal(await ready(), 200)
  here.now += 1
  assert.equal(await ready(), 503)
  const { body } = await ask(here, 'GET /readyz', undefined, null)
  assert.deepEqual(
    (body.checks as { name: string; ok: boolean }[]).filter(({ ok }) => !ok).map(({ name }) => name),
    ['checks'],
  )
  await here.hub.fleet.watch.of(1).check()
  assert.equal(await ready(), 200)
  here.now += HOUR
  assert.equal(await ready(), 503)
  await ask(here, 'DELETE /api/devices/a')
  assert.equal(await ready(), 200)
})

test('figures for Prometheus: devices by state, outages, checks', async () => {
  const here = await openHub()
  const devices = await Promise.all(['a', 'b', 'c'].map((id) => makeDevice(here, { id })))
  await ping(here, `/ping/${devices[0]?.uuid}`)
  await ping(here, `/ping/${devices[1]?.uuid}/fail`)
  await here.hub.fleet.checker.tick()
  here.now += 2_500
  const text = await (await here.app.request('/metrics')).text()
  for (const line of [
    'rowlock_devices{state="down",project="1"} 1',
    'rowlock_devices{state="new",project="1"} 1',
    'rowlock_devices{state="up",project="1"} 1',
    'rowlock_downtimes_open{project="1"} 1',
    'rowlock_check_age_seconds 2.5',
    'rowlock_checks_total 1',
    'rowlock_pings_total 2',
    'rowlock_check_opened_total 0',
  ]) {
    assert.ok(text.split('\n').includes(line), `${line}\n${text}`)
  }
})

test('a checker that was away opens nothing it could not see, and says that it was blind', async () => {
  const here = await openHub()
  const devices = await Promise.all(['a', 'b', 'c'].map((id) => makeDevice(here, { id })))
  const beat = () => Promise.all(devices.map(({ uuid }) => ping(here, `/ping/${uuid}`)))
  await pass(here, 3 * MINUTE, beat)
  here.now += HOUR
  const { body } = await ask(here, 'POST /api/check')
  assert.equal((body.checks as Json[])[0]?.verdict, 'catchUp')
  await pass(here, 3 * MINUTE, beat)
  assert.deepEqual(await outages(here), [])
})

test('the loop checks at once and then again and again, and stops when the check under way has ended', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  let begun = 0
  let finish = () => {}
  const checker = {
    tick() {
      begun += 1
      return new Promise<void>((resolve) => {
        finish = resolve
      })
    },
  } as unknown as Checker
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  const stop = startChecking(checker, 1_000)
  assert.equal(begun, 1)
  context.mock.timers.tick(5_000)
  assert.equal(begun, 1, 'the first has not ended')
  finish()
  await turn()
  context.mock.timers.tick(1_000)
  assert.equal(begun, 2)
  let stopped = false
  const stopping = stop().then(() => {
    stopped = true
  })
  await turn()
  assert.equal(stopped, false)
  finish()
  await stopping
  context.mock.timers.tick(10_000)
  assert.equal(begun, 2)
})
