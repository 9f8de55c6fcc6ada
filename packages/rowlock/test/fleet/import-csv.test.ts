import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { devicesFromCsv } from '../../src/fleet/import/csv.ts'
import { textOf } from '../../src/fleet/import/text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
/** `本店テレビ` in Shift_JIS. */
const SHIFT_JIS = [0x96, 0x7b, 0x93, 0x58, 0x83, 0x65, 0x83, 0x8c, 0x83, 0x72]

test('UTF-8 with and without a mark, Shift_JIS, and what spreadsheets call Unicode', () => {
  const line = 'id,name\ntv-1,本店テレビ\n'
  assert.equal(textOf(bytes(line)), line)
  assert.equal(textOf(bytes(`\uFEFF${line}`)), line)
  assert.equal(textOf(new Uint8Array([...bytes('id,name\ntv-1,'), ...SHIFT_JIS, 10])), line)
  assert.equal(textOf(new Uint8Array(SHIFT_JIS), 'Shift_JIS'), '本店テレビ')
  assert.equal(textOf(new Uint8Array(SHIFT_JIS), 'windows-31j'), '本店テレビ')
  assert.equal(textOf(new Uint8Array([0xff, 0xfe, 0x2c, 0x67, 0x97, 0x5e])), '本店')
  assert.throws(() => textOf(new Uint8Array(SHIFT_JIS), 'utf-8'), /body is not utf-8/)
  assert.throws(() => textOf(new Uint8Array([0x96, 0xff, 0x00, 0x80])), /body is not UTF-8 or Shift_JIS/)
  assert.throws(() => textOf(bytes('x'), 'latin-1'), /encoding is "latin-1"; accepted: utf-8, shift_jis/)
})

test('every column, by its name or another system’s', () => {
  const { devices, errors } = devicesFromCsv(
    [
      'Device ID,Label,description,slug,period,grace,tags,parent,must-appear-within',
      'tv-1,"本店, 1F",by the door,tv_1,5m,30s,tv front;east,gw-1,1h',
      'tv-2,,,,,,,,',
    ].join('\r\n'),
  )
  assert.deepEqual(errors, [])
  assert.deepEqual(devices, [
    {
      id: 'tv-1',
      name: '本店, 1F',
      description: 'by the door',
      slug: 'tv_1',
      periodMs: 300_000,
      graceMs: 30_000,
      tags: ['tv', 'front', 'east'],
      parent: 'gw-1',
      mustAppearWithinMs: 3_600_000,
    },
    { id: 'tv-2' },
  ])
  const [job] = devicesFromCsv('id;schedule;tz;tags\njob;30 2 * * *;Asia/Tokyo;a,b\n').devices
  assert.deepEqual(job, {
    id: 'job',
    schedule: { cron: '30 2 * * *', timezone: 'Asia/Tokyo' },
    tags: ['a', 'b'],
  })
  assert.deepEqual(devicesFromCsv('id\ttags\nx\ta;b c\n').devices, [{ id: 'x', tags: ['a', 'b', 'c'] }])
})

test('each mistake is told with its line and column, and its neighbours are read', () => {
  const { devices, errors } = devicesFromCsv(
    [
      'id,name,period,schedule,slug',
      'a,"two',
      'lines",5m,,',
      ',no id,,,',
      'b,,5 minutes,,',
      'c,,,99 * * * *,',
      'd,,,,Not A Slug',
      'a,again,,,',
      '',
      'e,,,,,,',
      'f,,60000,,',
      'g,,5m,,',
    ].join('\n'),
  )
  assert.deepEqual(
    devices.map(({ id }) => id),
    ['a', 'g'],
  )
  assert.deepEqual(
    errors.map(({ row, column }) => [row, column]),
    [
      [4, 'id'],
      [5, 'period'],
      [6, 'schedule'],
      [7, 'slug'],
      [8, 'id'],
      [10, 'row'],
      [11, 'period'],
    ],
  )
  assert.match(errors[4]?.message ?? '', /a stands on row 3 already/)
  assert.match(errors[1]?.message ?? '', /"5 minutes"; accepted: .*"15m"/)
})

test('a file that is no list of devices', () => {
  for (const [text, message] of [
    ['', /body is empty/],
    ['\n\n', /body is empty/],
    ['id,name\n', /holds only a header/],
    ['id,colour\nx,red\n', /header holds the column "colour"; accepted: id, name/],
    ['id,device_id\nx,y\n', /header holds id twice/],
    ['name\nx\n', /header has no column id/],
    [`id\n${Array.from({ length: 10_001 }, (_, n) => `d${n}\n`).join('')}`, /10001 devices/],
  ] as const) {
    assert.throws(() => devicesFromCsv(text), message)
  }
  for (const text of ['id,name\nx,"never closed\n', 'id,name\nx,a"b"\n"', 'id\n"a"b\n']) {
    const { devices, errors } = devicesFromCsv(text)
    assert.deepEqual([devices, errors.length], [[], 1])
    assert.equal(errors[0]?.row, 2)
  }
})

test('any text is read or refused, never thrown at otherwise', () => {
  const cell = fc.oneof(
    fc.constantFrom('id', 'name', 'a', '"', ',', ';', '\n', '\r\n', '5m', '=1'),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(cell), fc.boolean(), (cells, headed) => {
      const text = (headed ? 'id,name,period\n' : '') + cells.join('')
      try {
        const { devices, errors } = devicesFromCsv(text)
        return devices.length + errors.length > 0
      } catch (error) {
        return (error as { code?: string }).code === 'INVALID_INPUT'
      }
    }),
    { seed: 20261201, numRuns: 2_000 },
  )
})
