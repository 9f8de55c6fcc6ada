import { existsSync, readFileSync } from 'node:fs'

/**
 * Six samples of 2,000 real log lines each, labelled with their true groups: Zhu et al., "Loghub: A Large Collection of
 * System Log Datasets for AI-driven Log Analytics", ISSRE 2023 (github.com/logpai/loghub). They are no part of this
 * repository; where a copy lies in `../shared/data/loghub`, tests and benchmarks use it.
 */
const folder = new URL('../../../../../shared/data/loghub/', import.meta.url)

export const samples = ['Apache', 'HDFS', 'Hadoop', 'Linux', 'OpenSSH', 'Zookeeper'] as const

export interface LabelledLine {
  readonly message: string
  /** The name of the group that the line truly belongs to. */
  readonly group: string
}

/** Why there are no samples, or undefined if there are. */
export function missingSamples(): string | undefined {
  const missing = samples.filter((sample) => !existsSync(new URL(`${sample}_2k.csv`, folder)))
  return missing.length === 0 ? undefined : `labelled logs are not here: ${missing.join(', ')}`
}

export function readSample(sample: (typeof samples)[number]): readonly LabelledLine[] {
  const [header = [], ...rows] = parseCsv(readFileSync(new URL(`${sample}_2k.csv`, folder), 'utf8'))
  const content = header.indexOf('Content')
  const event = header.indexOf('EventId')
  return rows.map((row) => ({ message: row[content] ?? '', group: row[event] ?? '' }))
}

/**
 * The share of lines whose group, all lines with the same key, is exactly the same set of lines as their true group.
 */
export function groupingAccuracy(lines: readonly LabelledLine[], keyOf: (message: string) => string): number {
  const found = Map.groupBy(lines, (line) => keyOf(line.message))
  const truth = Map.groupBy(lines, (line) => line.group)
  let right = 0
  for (const members of found.values()) {
    const group = members[0]?.group ?? ''
    const pure = members.every((line) => line.group === group)
    if (pure && truth.get(group)?.length === members.length) right += members.length
  }
  return right / lines.length
}

/** Rows of a CSV text with quoted fields and doubled quotes; lines end in LF or CRLF. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  const field = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/y
  while (field.lastIndex < text.length) {
    const [, value = '', separator] = field.exec(text) ?? []
    rows.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (separator !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}
