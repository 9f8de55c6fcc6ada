import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/browser/esm/sync'
import fc from 'fast-check'
import { csvLine } from '../../src/fleet/history/csv.ts'

test('a text that a spreadsheet would take for a formula begins with an apostrophe', () => {
  for (const text of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    ' =1',
    '\r\n=1',
    '＝1',
    '|cmd',
    '%0A',
    '=HYPERLINK("http://evil.example","x")',
  ]) {
    const [[cell]] = parse(csvLine([text])) as [[string]]
    assert.equal(cell, `'${text}`)
  }
  assert.equal(
    csvLine(['tv-1', 'a, b', 'say "x"', null, -5, 1.5, '本店']),
    'tv-1,"a, b","say ""x""",,-5,1.5,本店\r\n',
  )
})

test('what is written is what is read, for any text', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2 }), (cells) => {
      const [read = []] = parse(csvLine(cells))
      return cells.every((cell, at) => read[at] === cell || read[at] === `'${cell}`)
    }),
    { seed: 20261201, numRuns: 1_000 },
  )
})
