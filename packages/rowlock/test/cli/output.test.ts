import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { paintFor } from '../../src/cli/output/paint.ts'
import { type Column, table } from '../../src/cli/output/table.ts'
import { bytes, elapsed, relative } from '../../src/cli/output/times.ts'
import { printable, truncate, truncateStart, widthOf } from '../../src/cli/output/width.ts'

interface Row {
  readonly name: string
  readonly count: number
  readonly title: string
}

const columns: readonly Column<Row>[] = [
  { title: 'NAME', value: ({ name }) => name },
  { title: 'COUNT', value: ({ count }) => count, right: true, optional: true },
  { title: 'TITLE', value: ({ title }) => title, rest: true },
]
const rows: readonly Row[] = [
  { name: 'a', count: 7, title: 'short' },
  { name: '注文', count: 1234, title: 'a title that is rather longer than the terminal is wide' },
]
const plain = (_style: unknown, text: string) => text

describe('a table', () => {
  test('is aligned, also where characters are two columns wide', () => {
    assert.deepEqual(table(rows, columns, { columns: undefined, paint: plain }), [
      'NAME  COUNT  TITLE',
      'a         7  short',
      '注文   1234  a title that is rather longer than the terminal is wide',
    ])
  })

  test('is as wide as the terminal: the rest is cut', () => {
    const lines = table(rows, columns, { columns: 50, paint: plain })
    assert.ok(lines.every((line) => widthOf(line) <= 50))
    assert.match(lines[2]!, /^注文 {3}1234 {2}a title that .*…$/)
  })

  test('leaves out what is optional where there is no room', () => {
    assert.deepEqual(table(rows, columns, { columns: 38, paint: plain })[0], 'NAME  TITLE')
  })

  test('holds nothing that a terminal would obey', () => {
    const evil = [{ name: '\x1b[2Jx\x07', count: 1, title: 'a\r\nb\u202Ec\x9b31m' }]
    assert.deepEqual(table(evil, columns, { columns: undefined, paint: plain })[1], 'x�        1  a b�c')
  })
})

test('widths, and texts cut at either end', () => {
  assert.deepEqual(
    [widthOf('abc'), widthOf('日本'), widthOf('👍🏽'), widthOf('é'), widthOf('\x1b[31mred\x1b[39m')],
    [3, 4, 2, 1, 3],
  )
  assert.deepEqual([truncate('abcdef', 4), truncate('日本語', 4), truncate('abc', 3)], ['abc…', '日…', 'abc'])
  assert.deepEqual([truncateStart('org.example.Shop', 6), truncateStart('abc', 3)], ['….Shop', 'abc'])
  assert.equal(printable('a\tb\n c'), 'a b c')
})

test('times and sizes as people say them', () => {
  const now = Date.UTC(2026, 11, 1)
  assert.deepEqual(
    [now, now - 5_000, now - 3 * 60_000, now + 2 * 3_600_000, now - 800 * 86_400_000].map((at) =>
      relative(at, now),
    ),
    ['now', '5s ago', '3m ago', 'in 2h', '2y ago'],
  )
  assert.deepEqual([elapsed(380), elapsed(4_200), elapsed(190_000)], ['380 ms', '4.2 s', '3 m 10 s'])
  assert.deepEqual(
    [bytes(999), bytes(1_500), bytes(64_000), bytes(1.5e9)],
    ['999 bytes', '1.5 KB', '64 KB', '1.5 GB'],
  )
})

test('colours are for terminals, unless somebody says otherwise', () => {
  const painted = (isTTY: boolean, environment: Record<string, string>, wanted?: boolean) =>
    paintFor({ isTTY } as never, environment, wanted)('red', 'x') !== 'x'
  assert.deepEqual(
    [
      painted(true, {}),
      painted(false, {}),
      painted(true, { NO_COLOR: '1' }),
      painted(true, { TERM: 'dumb' }),
      painted(false, { FORCE_COLOR: '1' }),
      painted(true, {}, false),
      painted(false, { NO_COLOR: '1' }, true),
    ],
    [true, false, false, false, true, false, true],
  )
})
