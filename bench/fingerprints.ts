/**
 * Fingerprints: how many per second, how long the worst messages take, and how well real logs are grouped. Alone:
 * `node bench/fingerprints.ts`.
 */
import { performance } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { fingerprint } from '../packages/rowlock/src/events/fingerprint/index.ts'
import { hardMessages } from '../packages/rowlock/test/events/hard-messages.ts'
import {
  groupingAccuracy,
  missingSamples,
  readSample,
  samples,
} from '../packages/rowlock/test/events/loghub.ts'
import { compare, type Figure, type Way } from './measure.ts'
import { type Aim, atLeast, atMost, figureTable, markdown, type Section, type Table } from './report.ts'

/** Made up, about 100 characters each, so that speed can be measured where the samples are not. */
const typical: readonly string[] = [
  'Failed password for invalid user admin from 203.0.113.7 port 41538 ssh2 after 3 attempts in 00:00:12, closing',
  'connect ECONNREFUSED 10.0.3.17:5432 (billing-db.internal) while charging invoice 48213 for customer 550e8400',
  'Slow query (1532 ms) on replica db-2.example.com: SELECT * FROM orders WHERE customer_id = 4711 ORDER BY 1',
  'TypeError: Cannot read properties of undefined (reading "total") in request 550e8400-e29b-41d4-a716-446655440000',
  'level=error ts=2026-12-01T10:20:30.123Z msg="upstream timed out" attempt=3 addr=198.51.100.4:8080 bytes=48213',
  '受注番号ＡＢ１２３４の処理に失敗しました（在庫が３件不足、倉庫「東京第２」、応答時間１５００ミリ秒）',
  'Receiving block blk_-1608999687919862906 src: /10.250.19.102:54106 dest: /10.250.19.102:50010 of size 67108864',
  'Worker pool-3-thread-12 has been stuck for 125.4 seconds in /srv/app/releases/20261201/jobs/report.py, killing',
]

const event = {
  source: 'billing',
  exception: {
    values: [
      {
        type: 'TypeError',
        value: 'Cannot read properties of undefined',
        stacktrace: {
          frames: Array.from({ length: 20 }, (_, index) => ({
            function: `step${index}`,
            filename:
              index % 2 === 0 ? `/app/src/cart/part${index}.ts` : '/app/node_modules/hono/dist/hono.js',
            in_app: index % 2 === 0,
          })),
        },
      },
    ],
  },
}

function ways(): readonly Way[] {
  const made: Way[] = [
    { name: 'message of about 100 characters', run: overMessages(typical) },
    {
      name: 'exception with 20 frames',
      run(count) {
        for (let index = 0; index < count; index++) fingerprint(event)
      },
    },
  ]
  if (missingSamples() === undefined) {
    const lines = samples.flatMap((sample) => readSample(sample).map((line) => line.message))
    made.push({ name: 'lines of six real logs, 70 characters on average', run: overMessages(lines) })
  }
  return made
}

function overMessages(messages: readonly string[]): (count: number) => void {
  return (count) => {
    for (let index = 0; index < count; index++) {
      fingerprint({ source: 'bench', message: messages[index % messages.length] ?? '' })
    }
  }
}

/** Milliseconds for one fingerprint of 100 KB of each hard text, the median of five, slowest first. */
function hardest(): readonly (readonly [name: string, milliseconds: number])[] {
  const times = Object.entries(hardMessages).map(([name, unit]) => {
    const message = unit.repeat(Math.ceil(100_000 / unit.length))
    const rounds = Array.from({ length: 6 }, () => {
      const start = performance.now()
      fingerprint({ message })
      return performance.now() - start
    })
    return [name, rounds.slice(1).sort((left, right) => left - right)[2] ?? 0] as const
  })
  return times.sort((left, right) => right[1] - left[1])
}

function accuracy(): { readonly table: Table; readonly average: number } | undefined {
  if (missingSamples() !== undefined) return undefined
  const shares = samples.map((sample) =>
    groupingAccuracy(readSample(sample), (message) => fingerprint({ message }).key),
  )
  const average = shares.reduce((sum, share) => sum + share, 0) / shares.length
  const rows = samples.map((sample, index) => [sample, (shares[index] ?? 0).toFixed(4)])
  return {
    table: {
      title: 'Grouping accuracy (Loghub, 2,000 labelled lines each)',
      columns: ['log', 'share of lines in exactly their true group'],
      rows: [...rows, ['average', average.toFixed(4)]],
    },
    average,
  }
}

export async function section(): Promise<Section> {
  const figures: readonly Figure[] = await compare(ways(), { count: 100_000, rounds: 5 })
  const slow = hardest()
  const grouping = accuracy()
  const aims: Aim[] = [atMost('the slowest 100 KB message', 20, slow[0]?.[1] ?? 0, ' ms')]
  if (grouping !== undefined)
    aims.push(atLeast('grouping accuracy, average of six logs', 0.85, grouping.average))
  return {
    title: 'Fingerprints',
    note:
      'One set of rules for all logs. ' +
      (missingSamples() === undefined
        ? 'A published parser, Drain, reached 0.865 on sixteen such samples.'
        : missingSamples()),
    tables: [
      figureTable('Fingerprints', figures),
      {
        title: 'The slowest of the hard 100 KB messages',
        columns: ['text, repeated', 'milliseconds'],
        rows: slow.slice(0, 5).map(([name, milliseconds]) => [name, milliseconds.toFixed(2)]),
      },
      ...(grouping === undefined ? [] : [grouping.table]),
    ],
    aims,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  console.log(markdown([await section()], 'node bench/fingerprints.ts'))
}
