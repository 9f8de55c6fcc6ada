import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type HubProcess, startHubProcess } from './hub-process.ts'

const CONNECTIONS = 64
const KINDS = ['disk full', 'payment failed', 'printer jammed']
const idOf = (n: number) => `event-${n}`

/** Posts an event; the answer, or undefined when there was none. */
function post(
  agent: Agent,
  hub: HubProcess,
  n: number,
): Promise<{ won: boolean; issue: string } | undefined> {
  const body = JSON.stringify({ id: idOf(n), message: KINDS[n % KINDS.length] })
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${hub.ingestKey}`, 'content-length': Buffer.byteLength(body) }
    const sent = request(`${hub.url}/api/events`, { method: 'POST', agent, headers }, async (response) => {
      let text = ''
      try {
        for await (const chunk of response) text += chunk
        resolve(response.statusCode === 200 ? JSON.parse(text) : undefined)
      } catch {
        resolve(undefined)
      }
    })
    sent.on('error', () => resolve(undefined))
    sent.end(body)
  })
}

/** Sends these events over 64 connections; `each` is told of every answer. Ends early when the hub is gone. */
async function pour(
  hub: HubProcess,
  numbers: readonly number[],
  each: (n: number, won: boolean) => void,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  let next = 0
  const one = async () => {
    while (next < numbers.length) {
      const n = numbers[next++] as number
      const answer = await post(agent, hub, n)
      if (answer === undefined) return
      each(n, answer.won)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
  agent.destroy()
}

test('kill -9 in the middle: what was acknowledged is counted, what is sent again is not counted twice', {
  timeout: 120_000,
}, async (context) => {
  const home = await mkdtemp(join(tmpdir(), 'rowlock-kill-'))
  context.after(() => rm(home, { recursive: true, force: true }))
  const db = join(home, 'rowlock.db')
  const all = Array.from({ length: 1_500 }, (_, n) => n)
  const acknowledged = new Set<number>()
  let wins = 0
  let kills = 0

  for (const killAt of [200, 500, Number.POSITIVE_INFINITY]) {
    const hub = await startHubProcess(db)
    context.after(() => hub.end('SIGKILL'))
    let here = 0
    await pour(
      hub,
      all.filter((n) => !acknowledged.has(n)),
      (n, won) => {
        acknowledged.add(n)
        if (won) wins += 1
        here += 1
        if (here === killAt) hub.child.kill('SIGKILL')
      },
    )
    if (killAt < all.length) kills += 1
    assert.equal(await hub.end('SIGTERM'), killAt < all.length ? 'SIGKILL' : 0)
    check(db, acknowledged)
  }

  assert.equal(kills, 2)
  assert.equal(acknowledged.size, all.length)
  assert.ok(wins <= KINDS.length, `${wins} wins`)
  const database = new DatabaseSync(db, { readOnly: true })
  const issues = database.prepare('select title, count, token from rowlock_issues order by title').all()
  assert.deepEqual(
    issues.map(({ title, count }) => [title, count]),
    [
      ['disk full', 500],
      ['payment failed', 500],
      ['printer jammed', 500],
    ],
  )
  assert.ok(issues.every(({ token }) => token !== null))
  database.close()
})

/** After any kill: the file is sound, every acknowledged event is there, and the counts are those of the events. */
function check(db: string, acknowledged: ReadonlySet<number>): void {
  const database = new DatabaseSync(db)
  assert.deepEqual({ ...database.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  const seen = new Set(
    database
      .prepare('select event_id from rowlock_seen')
      .all()
      .map((row) => row.event_id),
  )
  for (const n of acknowledged) assert.ok(seen.has(idOf(n)), `${idOf(n)} was acknowledged and is lost`)
  const [sums] = database.prepare('select sum(count) as count from rowlock_issues').all()
  assert.equal(sums?.count, seen.size)
  database.close()
}
