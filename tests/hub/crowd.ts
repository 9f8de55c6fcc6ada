import assert from 'node:assert/strict'
import type { Client } from './client.ts'

/** 64 senders of the same and of different trouble at once: exact counts, one win each. */
export async function crowd(clients: readonly Client[], rounds = 3): Promise<void> {
  const kinds = ['crowd-a', 'crowd-b', 'crowd-c', 'crowd-d']
  const sends = Array.from({ length: 64 * rounds }, (_, n) => {
    const client = clients[n % clients.length] as Client
    return client.send([
      { id: `crowd-${n}`, fingerprint: kinds[n % 4], message: 'x' },
      { id: `crowd-${n - 1}`, fingerprint: kinds[(n + 3) % 4], message: 'x' },
      { fingerprint: kinds[(n + 1) % 4], message: 'x' },
    ])
  })
  const answers = await Promise.all(sends)
  assert.ok(
    answers.every(({ status }) => status === 200),
    JSON.stringify(answers.find(({ status }) => status !== 200)),
  )
  const [client] = clients as [Client]
  const counts = await Promise.all(
    kinds.map(async (kind) => (await client.ask(`GET /api/issues/1-${kind}`)).body.count),
  )
  const total = counts.reduce<number>((sum, count) => sum + Number(count), 0)
  // Each named event once although it was sent twice, the one before the first, and those without a name.
  assert.equal(total, 64 * rounds + 1 + 64 * rounds)
  const items = answers.flatMap(({ body }) => body.items as { won: boolean; duplicate: boolean }[])
  assert.equal(items.filter(({ won }) => won).length, kinds.length)
  assert.equal(items.filter(({ duplicate }) => !duplicate).length, total)
}

/** Pings of one device from everywhere at once, and checks between them: every ping is counted, one outage at a time. */
export async function fleetCrowd(clients: readonly Client[], rounds = 3): Promise<void> {
  const [client] = clients as [Client]
  const { uuid } = (await client.ask('POST /api/devices', { id: 'crowd' })).body
  const ends = ['', '/fail', '/start', '', '/log', '/fail', '']
  const pings = Array.from({ length: 32 * rounds }, (_, n) =>
    (clients[n % clients.length] as Client).open(`/ping/${uuid}${ends[n % ends.length]}`),
  )
  const checks = clients.map((one) => one.ask('POST /api/check'))
  const answers = await Promise.all(pings)
  assert.ok((await Promise.all(checks)).every(({ status }) => status === 200))
  assert.ok(
    answers.every(({ status }) => status === 200),
    JSON.stringify(answers.find(({ status }) => status !== 200)),
  )
  assert.equal((await client.open(`/ping/${uuid}`)).status, 200)
  const device = (await client.ask('GET /api/devices/crowd')).body
  const kept = (device.recentPings as { n: number }[]).map(({ n }) => n)
  assert.deepEqual([device.pings, device.state], [32 * rounds + 1, 'up'])
  assert.deepEqual(
    kept,
    Array.from({ length: Math.min(100, 32 * rounds + 1) }, (_, n) => 32 * rounds + 1 - n),
  )
  const { downtimes } = (await client.ask('GET /api/downtimes?device=crowd&limit=200')).body as {
    downtimes: { endedAt: string | null }[]
  }
  assert.ok(downtimes.length >= 1)
  assert.ok(downtimes.every(({ endedAt }) => endedAt !== null))
}
