import { InvalidInputError } from '@rowlock/core'
import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { type DeviceFields, readDevice } from '../device/fields.ts'
import { type ImportRows, MOST_ROWS, readRows } from './rows.ts'

/** Columns that a file of devices may have, and the names that other systems have for them. */
const COLUMNS: Readonly<Record<string, string>> = {
  id: 'id',
  device: 'id',
  device_id: 'id',
  name: 'name',
  label: 'name',
  description: 'description',
  slug: 'slug',
  period: 'period',
  schedule: 'schedule',
  timezone: 'timezone',
  tz: 'timezone',
  grace: 'grace',
  tags: 'tags',
  parent: 'parent',
  must_appear_within: 'mustAppearWithin',
}
const ACCEPTED =
  'id, name, description, slug, period, schedule, timezone, grace, tags, parent, must_appear_within'

interface Line {
  readonly record: readonly string[]
  /** The number of the line on which it ends. */
  readonly line: number
}

/**
 * Devices from CSV with a header; `,`, `;` or a tab between fields, whichever the header has. An empty field says
 * nothing. Tags are separated by spaces, or by what does not separate fields.
 * @throws InvalidInputError for a file without devices, with more than 10,000, or with a header that makes no sense.
 */
export function devicesFromCsv(text: string): ImportRows {
  const bare = text.replace(/^\uFEFF/, '')
  const lines = parseCsv(bare, separatorOf(bare))
  if ('error' in lines) return { devices: [], rowOf: new Map(), errors: [lines.error], notes: [] }
  const [header, ...rows] = lines.lines
  if (header === undefined) throw new InvalidInputError('body', 'is empty', 'CSV with a header')
  const names = readHeader(header.record)
  if (rows.length === 0) throw new InvalidInputError('body', 'holds only a header', 'at least one device')
  if (rows.length > MOST_ROWS)
    throw new InvalidInputError('body', `holds ${rows.length} devices`, `at most ${MOST_ROWS}`)
  const read = readRows(
    rows.map(({ record, line }) => ({ row: line, given: record })),
    (record) => readRecord(names, record),
  )
  return { ...read, notes: [] }
}

function separatorOf(text: string): string {
  const header = text.slice(0, Math.max(0, text.search(/[\r\n]/)) || text.length)
  const count = (separator: string) => header.split(separator).length
  return [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best))
}

function parseCsv(
  text: string,
  delimiter: string,
): { lines: readonly Line[] } | { error: ImportRows['errors'][number] } {
  try {
    const rows = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: 100_000,
    }) as unknown as readonly { record: readonly string[]; info: { lines: number } }[]
    return { lines: rows.map(({ record, info }) => ({ record, line: info.lines })) }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines, message } = error as CsvError & { lines?: number }
    const accepted = 'fields with their quotes closed, a quote inside written twice'
    return {
      error: { row: lines ?? 1, column: null, message: `${message.slice(0, 300)}; accepted: ${accepted}` },
    }
  }
}

function readHeader(record: readonly string[]): readonly string[] {
  const names = record.map((name) => {
    const known = COLUMNS[name.toLowerCase().replaceAll(/[\s-]+/g, '_')]
    if (known !== undefined) return known
    throw new InvalidInputError('header', `holds the column ${JSON.stringify(name.slice(0, 60))}`, ACCEPTED)
  })
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new InvalidInputError('header', `holds ${twice} twice`, ACCEPTED)
  if (!names.includes('id')) throw new InvalidInputError('header', 'has no column id', ACCEPTED)
  return names
}

function readRecord(names: readonly string[], record: readonly string[]): DeviceFields {
  if (record.length > names.length) {
    throw new InvalidInputError('row', `has ${record.length} fields`, `the ${names.length} of the header`)
  }
  const given: Record<string, unknown> = {}
  names.forEach((name, at) => {
    const value = record[at] ?? ''
    if (value !== '') given[name] = name === 'tags' ? value.split(/[\s,;]+/).filter(Boolean) : value
  })
  return readDevice(given)
}
