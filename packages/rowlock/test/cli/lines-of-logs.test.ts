import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { headShapes, read } from '../../src/cli/ingest/parse/heads.ts'
import { readLine } from '../../src/cli/ingest/parse/line.ts'

const calendar = { now: Date.UTC(2026, 11, 1, 12), utc: true }

/** A line, and what it says: time, level (`?` behind it: a guess), source, message. */
const lines: readonly (readonly [
  line: string,
  at: string | undefined,
  level: string,
  source: string | undefined,
  message: string,
])[] = [
  [
    '2015-10-18 18:01:47,978 INFO [main] org.x.Y: Created',
    '2015-10-18T18:01:47.978Z',
    'info',
    'org.x.Y',
    'Created',
  ],
  [
    '2015-07-29 19:04:29,071 - WARN  [SendWorker:188:QuorumCnxManager$SendWorker@688] - leaving',
    '2015-07-29T19:04:29.071Z',
    'warning',
    'QuorumCnxManager$SendWorker',
    'leaving',
  ],
  [
    '081109 203615 148 INFO dfs.DataNode$X: block blk_1 terminating',
    '2008-11-09T20:36:15.000Z',
    'info',
    'dfs.DataNode$X',
    'block blk_1 terminating',
  ],
  [
    '[Sun Dec 04 04:47:44 2005] [notice] workerEnv.init() ok',
    '2005-12-04T04:47:44.000Z',
    'info',
    undefined,
    'workerEnv.init() ok',
  ],
  [
    '[Sun Dec 04 04:47:44.123456 2005] [core:error] [pid 1:tid 2] [client 192.0.2.1:5] AH00126: bad',
    '2005-12-04T04:47:44.123Z',
    'error',
    'core',
    '[client 192.0.2.1:5] AH00126: bad',
  ],
  [
    'Jun 14 15:16:01 combo sshd(pam_unix)[19939]: authentication failure; user=root',
    '2026-06-14T15:16:01.000Z',
    'error?',
    'sshd(pam_unix)',
    'authentication failure; user=root',
  ],
  [
    'Dec  1 11:59:59 combo syslogd 1.4.1: restart.',
    '2026-12-01T11:59:59.000Z',
    'info?',
    'syslogd',
    'restart.',
  ],
  [
    'Dec 10 06:55:46 LabSZ sshd[24200]: fatal: Write failed',
    '2025-12-10T06:55:46.000Z',
    'fatal',
    'sshd',
    'fatal: Write failed',
  ],
  ['<11>Oct 11 22:14:15 mymachine su: denied', '2026-10-11T22:14:15.000Z', 'error', 'su', 'denied'],
  [
    '<165>1 2003-10-11T22:14:15.003Z host.example evntslog - ID47 [a@1 b="c\\]"] \uFEFFAn event',
    '2003-10-11T22:14:15.003Z',
    'info',
    'evntslog',
    'An event',
  ],
  [
    '2026-11-30T23:59:59.5+09:00 web-1 shop[77]: closed',
    '2026-11-30T14:59:59.500Z',
    'info?',
    'shop',
    'closed',
  ],
  [
    '2026-11-30 10:00:00.000 UTC [812] shop@orders ERROR:  relation "x" does not exist',
    '2026-11-30T10:00:00.000Z',
    'error',
    undefined,
    'relation "x" does not exist',
  ],
  [
    '2026/11/30 10:00:00 [error] 123#0: *45 open() "/x" failed',
    '2026-11-30T10:00:00.000Z',
    'error',
    undefined,
    'open() "/x" failed',
  ],
  [
    '2026-11-30T10:00:00.000Z  INFO 7 --- [shop] [main] o.s.b.Tomcat   : started',
    '2026-11-30T10:00:00.000Z',
    'info',
    'o.s.b.Tomcat',
    'started',
  ],
  [
    '2026-11-30 10:00:00,123 - shop.orders - ERROR - no stock',
    '2026-11-30T10:00:00.123Z',
    'error',
    'shop.orders',
    'no stock',
  ],
  [
    '10:00:00.123 [main] WARN  com.example.Shop - slow',
    '2026-12-01T10:00:00.123Z',
    'warning',
    'com.example.Shop',
    'slow',
  ],
  [
    'E1130 15:04:05.678901   12345 pod.go:123] pod failed',
    '2026-11-30T15:04:05.678Z',
    'error',
    'pod.go',
    'pod failed',
  ],
  [
    '17/06/09 20:10:40 INFO executor.Executor: running',
    '2017-06-09T20:10:40.000Z',
    'info',
    'executor.Executor',
    'running',
  ],
  [
    'time=2026-11-30T10:00:00Z level=warn msg="no \\"stock\\"" order=7',
    '2026-11-30T10:00:00.000Z',
    'warning',
    undefined,
    'no "stock"',
  ],
  ['WARNING:root:careful', undefined, 'warning', 'root', 'careful'],
  ['error: no such table', undefined, 'error', undefined, 'no such table'],
  ['ERROR no such table', undefined, 'error', undefined, 'no such table'],
  ['Error in the middle of nothing', undefined, 'error?', undefined, 'Error in the middle of nothing'],
  ['config: this is not a level', undefined, 'info?', undefined, 'config: this is not a level'],
  ['注文 42 が見つかりません', undefined, 'info?', undefined, '注文 42 が見つかりません'],
  ['2026-13-41 10:00:00 ERROR never', undefined, 'error?', undefined, '2026-13-41 10:00:00 ERROR never'],
]

describe('a line of a log', () => {
  for (const [line, at, level, source, message] of lines) {
    test(line, () => {
      const said = readLine(line, calendar)
      assert.equal(said.message, message)
      assert.equal(said.at === undefined ? undefined : new Date(said.at).toISOString(), at)
      assert.equal(said.levelGuessed ? `${said.level}?` : said.level, level)
      assert.equal(said.source, source)
    })
  }

  test('each shape of a head reads its own example, and none before it does', () => {
    headShapes.forEach((shape, at) => {
      assert.ok(read(shape, shape.example), shape.example)
      assert.equal(
        headShapes.findIndex((other) => read(other, shape.example) !== undefined),
        at,
        shape.example,
      )
    })
  })

  test('a time without a zone is local unless it is said to be UTC', () => {
    const { at } = readLine('2026-06-01 12:00:00 INFO x', { ...calendar, utc: false })
    assert.equal(at, new Date(2026, 5, 1, 12).getTime())
  })

  test('hostile lines take no more than linear time', () => {
    const long = 60_000
    for (const line of [
      `2015-07-29 19:04:29,071 - WARN  [${'a'.repeat(long)}`,
      `2015-07-29 19:04:29,071 INFO [${']'.repeat(long)}`,
      `<1>1 2003-10-11T22:14:15.003Z h a p m ${'[x]'.repeat(long / 3)}`,
      `time=1 msg=${'"\\'.repeat(long / 2)}`,
      'a.'.repeat(long / 2),
      ' '.repeat(long),
      '0'.repeat(long),
    ]) {
      const before = performance.now()
      readLine(line, calendar)
      const took = performance.now() - before
      assert.ok(took < 500, `${line.slice(0, 40)}… took ${took} ms`)
    }
  })
})
