import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as passing } from 'node:timers/promises'
import { type HubProcess, startHubProcess } from '../node/hub-process.ts'
import { type Client, hasCurl, nodeClient, shellClient } from './clients.ts'

type Json = Record<string, unknown>

export interface StoryOptions {
  /** How often each client beats, and how often the hub checks. */
  readonly everyMs: number
  readonly checkMs: number
  /** So long after its last beat a device is down. */
  readonly downAfterMs: number
  /** How often the hub is killed and started again in the middle. */
  readonly rounds: number
}

const DEVICES = 50

export interface Outage {
  readonly device: string
  readonly cause: string
  readonly startedAt: number
  readonly endedAt: number
}

/** What the hub says happened, and what the clients know of it. */
export interface Told {
  readonly clients: readonly Client[]
  readonly outages: readonly Outage[]
  /** Devices that fell silent on purpose, one entry for each time. */
  readonly planned: readonly string[]
  readonly failed: readonly string[]
  readonly pings: ReadonlyMap<string, number>
  readonly uptimes: readonly {
    device: string
    upMs: number
    downMs: number
    unknownMs: number
    ratio: number | null
  }[]
  readonly opened: number
  readonly checks: readonly Json[]
}

/** Fifty devices of a Node program and one of a shell script, on a hub in a process of its own that is killed again and again. */
export async function tell(context: TestContext, options: StoryOptions): Promise<Told> {
  const { everyMs, checkMs, downAfterMs, rounds } = options
  const home = await mkdtemp(join(tmpdir(), 'rowlock-fleet-'))
  context.after(() => rm(home, { recursive: true, force: true }))
  const db = join(home, 'rowlock.db')
  let hub = await startHubProcess(db, { checkEvery: checkMs })
  context.after(() => hub.end('SIGKILL'))
  const port = Number(new URL(hub.url).port)
  const token = (await readFile(join(home, 'admin-token'), 'utf8')).trim()
  const restart = async () => {
    hub = await startHubProcess(db, { checkEvery: checkMs, port })
  }
  const { ask, until, all } = asker(() => hub, token)

  const half = downAfterMs / 2
  const ids = Array.from({ length: DEVICES }, (_, n) => `d${String(n).padStart(2, '0')}`)
  const names = hasCurl ? [...ids, 'shell'] : ids
  const csv = `id,period,grace\n${names.map((id) => `${id},${half}ms,${half}ms\n`).join('')}`
  assert.equal((await ask('POST /api/import', csv)).created, names.length)
  const devices = (await all('/api/devices', 'devices')) as { id: string; uuid: string }[]
  const address = (id: string) => `${hub.url}/ping/${devices.find((device) => device.id === id)?.uuid}`
  const clients = names.map((id) => (id === 'shell' ? shellClient : nodeClient)(id, address(id), everyMs))
  const byId = (id: string) => clients.find((client) => client.id === id) as Client
  context.after(() => Promise.all(clients.map((client) => client.silence())))
  for (const client of clients) client.resume()

  const inState = async (state: string) => (await all(`/api/devices?state=${state}`, 'devices')).length
  const open = async () =>
    new Set(
      ((await all('/api/downtimes?open=1', 'downtimes')) as { device: string }[]).map((one) => one.device),
    )
  await until('all are up', async () => (await inState('up')) === names.length)

  const planned: string[] = []
  const failed: string[] = []
  for (let round = 0; round < rounds; round++) {
    // Four at most, so that nobody takes it for an outage of our own; one of them is the shell's.
    const silent = [
      ids[3 * round],
      ids[3 * round + 1],
      ids[3 * round + 2],
      hasCurl ? 'shell' : undefined,
    ].filter((id) => id !== undefined)
    await Promise.all(silent.map((id) => byId(id).silence()))
    planned.push(...silent)
    const reporter = ids[40 + (round % 10)] as string
    failed.push(reporter)
    assert.equal((await fetch(`${address(reporter)}/3`, { method: 'POST', body: 'no disk' })).status, 200)
    await until('the silent ones are down', async () => {
      const down = await open()
      return silent.every((id) => down.has(id))
    })
    // Gone for longer than a device may be silent; meanwhile one comes back and nobody hears it.
    hub.child.kill('SIGKILL')
    await hub.end('SIGKILL')
    byId(silent[0] as string).resume()
    await passing(downAfterMs + everyMs)
    await restart()
    await until('the one that came back is up', async () => !(await open()).has(silent[0] as string))
    for (const id of silent.slice(1)) byId(id).resume()
    await until('all are up again', async () => (await inState('up')) === names.length)
    // Killed at once, and started at once.
    await hub.end('SIGKILL')
    await restart()
    const before = (await all('/api/checks', 'checks')).length
    await until('it has checked again', async () => (await all('/api/checks', 'checks')).length > before + 3)
  }
  await until('all are up at the end', async () => (await inState('up')) === names.length)
  const uptime = await all('/api/uptime?by=day&count=2', 'devices')
  await Promise.all(clients.map((client) => client.silence()))
  const outages = (await all('/api/downtimes', 'downtimes')) as Json[]
  const checks = (await all('/api/checks', 'checks')) as Json[]
  const pings = (await all('/api/devices', 'devices')) as { id: string; pings: number }[]
  assert.equal(await hub.end('SIGTERM'), 0)
  return {
    clients,
    planned,
    failed,
    checks,
    outages: outages.map((one) => ({
      device: String(one.device),
      cause: String(one.cause),
      startedAt: Date.parse(String(one.startedAt)),
      endedAt: one.endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(String(one.endedAt)),
    })),
    pings: new Map(pings.map((one) => [one.id, one.pings])),
    uptimes: (uptime as { device: string; total: Told['uptimes'][number] }[]).map(({ device, total }) => ({
      ...total,
      device,
    })),
    opened: checks.reduce((sum, { opened }) => sum + Number(opened), 0),
  }
}

function asker(hub: () => HubProcess, token: string) {
  const ask = async (request: string, body?: string): Promise<Json> => {
    const [method = '', path = ''] = request.split(' ')
    const response = await fetch(hub().url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body }),
    })
    assert.equal(response.status, 200, `${request}: ${response.status}`)
    return (await response.json()) as Json
  }
  /** Every page of a list. */
  const all = async (path: string, name: string): Promise<readonly unknown[]> => {
    const found: unknown[] = []
    for (let cursor = ''; ; ) {
      const page = await ask(`GET ${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`)
      found.push(...(page[name] as unknown[]))
      if (page.next === null) return found
      cursor = `&cursor=${page.next}`
    }
  }
  /** Asks again until it is so; the test's own time limit is the only one. */
  const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
    const began = Date.now()
    while (!(await isSo())) {
      if (Date.now() - began > 60_000)
        throw new Error(`waited a minute until ${what}\n${hub().printed.join('\n')}`)
      await passing(50)
    }
  }
  return { ask, all, until }
}
