import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from './http-load.ts'
import { percentile, spread } from './measure.ts'
import { atLeast, atMost, type Section, whole } from './report.ts'

const REQUESTS = 8_000
const CONNECTIONS = 64
const ROUNDS = 4

interface Server {
  readonly name: string
  readonly child: ChildProcess
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly speeds: number[]
  readonly latenciesMs: number[]
}

/** One event a request over HTTP at concurrency 64: the hub against Hono alone, and Hono with one upsert each. */
export async function section(): Promise<Section> {
  const folder = mkdtempSync(join(tmpdir(), 'rowlock-bench-'))
  const servers = [
    await start('Hono without a store', 'bare.ts'),
    await start('Hono, one durable upsert each', 'upsert.ts', join(folder, 'upsert.db')),
    await start('the hub, durable', 'hub.ts', join(folder, 'hub.db')),
  ]
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const server of round % 2 === 0 ? servers : [...servers].reverse()) await measure(server, round)
  }
  const memory = await Promise.all(servers.map((server) => mebibytes(server.child)))
  for (const { child } of servers) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
  const [bare, , hub] = servers.map((server) => spread(server.speeds).median)
  const hubLatencies = sorted(servers[2]!)
  return {
    title: 'Events over HTTP',
    note: `POST /api/events, one event a request, ${CONNECTIONS} connections, the client on the same machine. An answer of the hub means that the event is on the disk (WAL, synchronous = FULL) and in the count.`,
    tables: [
      {
        title: 'One event a request',
        columns: ['server', 'per second (median)', 'p50 ms', 'p99 ms', 'most memory, MiB'],
        rows: servers.map((server, index) => [
          server.name,
          whole(spread(server.speeds).median),
          percentile(sorted(server), 0.5).toFixed(1),
          percentile(sorted(server), 0.99).toFixed(1),
          whole(memory[index] ?? Number.NaN),
        ]),
      },
    ],
    aims: [
      atLeast('acknowledged durable events, as a share of Hono without a store', 0.4, hub! / bare!, 'x'),
      atLeast('acknowledged durable events per second', 5000, hub!),
      atMost('p99', 50, percentile(hubLatencies, 0.99), ' ms'),
      atMost('most memory', 150, memory[2] ?? Number.NaN, ' MiB'),
    ],
  }
}

async function start(name: string, file: string, ...argv: string[]): Promise<Server> {
  // With the flag that `npm start` gives, for all of them alike.
  const execArgv = [...process.execArgv, '--max-semi-space-size=4']
  const child = fork(new URL(`servers/${file}`, import.meta.url), argv, { stdio: 'inherit', execArgv })
  const [{ url, headers }] = (await once(child, 'message')) as [
    { url: string; headers: Record<string, string> },
  ]
  return { name, child, url, headers, speeds: [], latenciesMs: [] }
}

async function measure(server: Server, round: number): Promise<void> {
  const result = await load({
    url: server.url,
    path: '/api/events',
    headers: server.headers,
    requests: REQUESTS,
    connections: CONNECTIONS,
    // Forty kinds of trouble with changing numbers in them, as a service in trouble sends them.
    body: (n) =>
      JSON.stringify({
        source: 'api',
        level: 'error',
        message: `${kinds[n % kinds.length]} for request ${n} after ${n % 977} ms`,
      }),
  })
  if (round === 0) return
  server.speeds.push(result.perSecond)
  server.latenciesMs.push(...result.latenciesMs)
}

const kinds = [
  'timeout',
  'refused',
  'reset',
  'denied',
  'missing',
  'broken',
  'full',
  'late',
  'lost',
  'locked',
].flatMap((what) => ['database', 'queue', 'cache', 'mail'].map((where) => `${where} ${what}`))

function sorted(server: Server): readonly number[] {
  return server.latenciesMs.sort((left, right) => left - right)
}

async function mebibytes(child: ChildProcess): Promise<number> {
  child.send('memory')
  const [answer] = (await once(child, 'message')) as [{ mebibytes: number }]
  return answer.mebibytes
}
