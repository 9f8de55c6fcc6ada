import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextTime, readSchedule, readTimezone } from '../../src/fleet/device/schedule.ts'
import { lastSpans } from '../../src/fleet/history/calendar.ts'

/** The next times of a schedule, in UTC. */
function times(cron: string, timezone: string, after: string, count: number): string[] {
  const schedule = readSchedule(cron, timezone)
  const found: string[] = []
  let at = Date.parse(after)
  for (let n = 0; n < count; n++) {
    at = nextTime(schedule, at) as number
    found.push(new Date(at).toISOString().slice(0, 16))
  }
  return found
}

test('Europe/Berlin, clocks set forward: a time that is left out comes at the end of the gap', () => {
  assert.deepEqual(times('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00Z', 3), [
    '2026-03-28T01:30',
    '2026-03-29T01:00',
    '2026-03-30T00:30',
  ])
  assert.deepEqual(times('*/30 * * * *', 'Europe/Berlin', '2026-03-29T00:00Z', 4), [
    '2026-03-29T00:30',
    '2026-03-29T01:00',
    '2026-03-29T01:30',
    '2026-03-29T02:00',
  ])
})

test('Europe/Berlin, clocks set back: a fixed time comes once, an interval goes on', () => {
  assert.deepEqual(times('30 2 * * *', 'Europe/Berlin', '2026-10-24T00:00Z', 3), [
    '2026-10-24T00:30',
    '2026-10-25T00:30',
    '2026-10-26T01:30',
  ])
  assert.deepEqual(times('30 2,14 * * *', 'Europe/Berlin', '2026-10-25T00:00Z', 3), [
    '2026-10-25T00:30',
    '2026-10-25T13:30',
    '2026-10-26T01:30',
  ])
  assert.deepEqual(times('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30Z', 4), [
    '2026-10-25T00:00',
    '2026-10-25T01:00',
    '2026-10-25T02:00',
    '2026-10-25T03:00',
  ])
})

test('America/New_York, both changes', () => {
  assert.deepEqual(times('30 2 * * *', 'America/New_York', '2026-03-07T00:00Z', 3), [
    '2026-03-07T07:30',
    '2026-03-08T07:00',
    '2026-03-09T06:30',
  ])
  assert.deepEqual(times('30 1 * * *', 'America/New_York', '2026-10-31T00:00Z', 3), [
    '2026-10-31T05:30',
    '2026-11-01T05:30',
    '2026-11-02T06:30',
  ])
  assert.deepEqual(times('*/20 1 * * *', 'America/New_York', '2026-11-01T04:59Z', 6), [
    '2026-11-01T05:00',
    '2026-11-01T05:20',
    '2026-11-01T05:40',
    '2026-11-01T06:00',
    '2026-11-01T06:20',
    '2026-11-01T06:40',
  ])
})

test('the next time lies strictly after, by the day and the month', () => {
  assert.deepEqual(times('0 9 * * 1-5', 'UTC', '2026-12-04T09:00Z', 2), [
    '2026-12-07T09:00',
    '2026-12-08T09:00',
  ])
  assert.deepEqual(times('0 0 13 * 5', 'UTC', '2026-12-01T00:00Z', 3), [
    '2026-12-04T00:00',
    '2026-12-11T00:00',
    '2026-12-13T00:00',
  ])
  assert.deepEqual(times('0 0 29 2 *', 'UTC', '2026-12-01T00:00Z', 1), ['2028-02-29T00:00'])
  assert.deepEqual(times('@hourly', 'Asia/Tokyo', '2026-12-01T00:10Z', 1), ['2026-12-01T01:00'])
})

test('what is no schedule is refused and named', () => {
  for (const cron of [
    '',
    ' ',
    '* * * *',
    '* * * * * *',
    '61 * * * *',
    '*/0 * * * *',
    'a b c d e',
    '0 0 30 2 *',
    'Mon..Fri 09:00',
    '0'.repeat(101),
    '5-1 * * * *',
    7,
    null,
    {},
  ]) {
    assert.throws(() => readSchedule(cron, 'UTC'), /^InvalidInputError: schedule /, String(cron))
  }
  for (const zone of ['Mars/Base', '', 'x'.repeat(100), 5, null]) {
    assert.throws(() => readSchedule('* * * * *', zone), /^InvalidInputError: timezone is /, String(zone))
  }
  assert.equal(readTimezone('europe/berlin'), 'Europe/Berlin')
})

test('days of a place have 23, 24 or 25 hours, and follow each other without a gap', () => {
  const spans = lastSpans('day', {
    count: 4,
    now: Date.parse('2026-03-30T12:00Z'),
    timezone: 'Europe/Berlin',
  })
  assert.deepEqual(
    spans.map(({ name, from, to }) => [name, (to - from) / 3_600_000]),
    [
      ['2026-03-27', 24],
      ['2026-03-28', 24],
      ['2026-03-29', 23],
      ['2026-03-30', 24],
    ],
  )
  const autumn = lastSpans('day', {
    count: 2,
    now: Date.parse('2026-11-02T04:59Z'),
    timezone: 'America/New_York',
  })
  assert.deepEqual(
    autumn.map(({ name, from, to }) => [name, (to - from) / 3_600_000]),
    [
      ['2026-10-31', 24],
      ['2026-11-01', 25],
    ],
  )
  // Where summer time begins at midnight, the day begins at one.
  const [cairo] = lastSpans('day', {
    count: 1,
    now: Date.parse('2026-04-24T12:00Z'),
    timezone: 'Africa/Cairo',
  })
  assert.deepEqual(
    [cairo?.name, new Date(cairo?.from ?? 0).toISOString()],
    ['2026-04-24', '2026-04-23T22:00:00.000Z'],
  )
})

test('months, and many days, of several places', () => {
  const months = lastSpans('month', { count: 14, now: Date.parse('2026-12-01T00:00Z'), timezone: 'UTC' })
  assert.deepEqual([months[0]?.name, months.at(-1)?.name, months.length], ['2025-11', '2026-12', 14])
  for (const timezone of ['UTC', 'Asia/Tokyo', 'Pacific/Apia', 'America/Havana', 'Australia/Lord_Howe']) {
    const days = lastSpans('day', { count: 370, now: Date.parse('2026-12-01T00:00Z'), timezone })
    assert.equal(days.length, 370)
    assert.equal(new Set(days.map(({ name }) => name)).size, 370, timezone)
    for (const [index, { from, to }] of days.entries()) {
      assert.equal(to, days[index + 1]?.from ?? to, timezone)
      assert.ok(to - from >= 23 * 3_600_000 && to - from <= 25 * 3_600_000, timezone)
    }
    const last = days.at(-1)
    assert.ok(last !== undefined && last.from <= Date.parse('2026-12-01T00:00Z') && last.to > last.from)
  }
})
