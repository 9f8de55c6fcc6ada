import assert from 'node:assert/strict'
import { createLiveness, type Liveness, type LivenessOptions } from '@rowlock/core/liveness'
import { alertDestinations } from '../../src/deliveries/statements/alerts.ts'
import { MINUTE, type TestHub } from '../hub.ts'

/** The library's liveness of a project, alerting as the hub does; no number of outages is many unless a test says so. */
export function livenessOf(
  here: TestHub,
  { project = 1, ...options }: { project?: number } & LivenessOptions = {},
): Liveness {
  const { driver } = here.hub.ground
  return createLiveness(driver, {
    scope: String(project),
    clock: () => here.now,
    downAfter: '5m',
    every: '1d',
    mass: { share: 1, least: 10_000, holdTicks: 0 },
    announceTo: alertDestinations(driver.dialect),
    ...options,
  })
}

/** Lets devices appear and fall silent, so that they are down now; their alerts are on their way. */
export async function fallSilent(
  here: TestHub,
  liveness: Liveness,
  devices: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  for (const [id, tags] of Object.entries(devices)) {
    const outcome = await liveness.beat(id, { register: { tags } })
    assert.equal(outcome.ok, true)
  }
  here.now += 5 * MINUTE
  const checked = await liveness.check()
  assert.equal(checked.ok && checked.opened, Object.keys(devices).length)
}

/** Delivers until nothing is due. */
export async function deliver(here: TestHub): Promise<void> {
  while ((await here.hub.courier.round()) > 0);
}

/** What was posted since the last call: topic, device, and the last part of the address. */
export function told(here: TestHub): string[] {
  return here.posts
    .splice(0)
    .map(({ url, body }) => {
      const { type, data } = JSON.parse(body)
      return [type, data.subject ?? data.mass?.count, url.split('/').at(-1)].join(' ')
    })
    .sort()
}
