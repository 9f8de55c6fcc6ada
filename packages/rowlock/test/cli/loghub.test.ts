import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readLine } from '../../src/cli/ingest/parse/line.ts'

/** Public samples of six kinds of logs, labelled by hand, where they are present beside the checkout. */
const folder = new URL('../../../../../shared/data/loghub/', import.meta.url)
const skip = existsSync(folder) ? false : 'the samples of loghub are not present'
const LEAST_EQUAL = 0.95

describe('real logs', { skip }, () => {
  for (const name of ['Apache', 'HDFS', 'Hadoop', 'Linux', 'OpenSSH', 'Zookeeper']) {
    test(name, (context) => {
      const lines = readFileSync(new URL(`${name}_2k.log`, folder), 'utf8')
        .split(/\r?\n/)
        .filter(Boolean)
      const [titles = [], ...rows] = readCsv(readFileSync(new URL(`${name}_2k.csv`, folder), 'utf8'))
      const column = titles.indexOf('Content')
      const said = lines.map((line) => readLine(line, { now: Date.UTC(2026, 11, 1), utc: true }))
      const equal = said.filter(({ message }, at) => message === rows[at]?.[column]?.trim()).length
      context.diagnostic(`${equal} of ${lines.length} messages are equal to the labelled ones`)
      assert.equal(lines.length, 2_000)
      assert.equal(rows.length, 2_000)
      assert.ok(equal >= LEAST_EQUAL * lines.length, `${equal} are equal`)
      assert.ok(said.every(({ at }) => at !== undefined && at > 0))
    })
  }
})

/** RFC 4180, as far as the samples use it. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}
