import { InvalidInputError } from '@rowlock/core'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Api, Query } from '../target/api.ts'
import { printNote } from './print.ts'

/** Of a list: how many rows at most. */
export interface ListFlags {
  readonly limit?: string
  readonly all?: boolean
}

const PAGE = 200
const DEFAULT_LIMIT = 50

type Page<Row> = Readonly<Record<string, readonly Row[] | string | null>> & { readonly next: string | null }

/**
 * Turns the pages of one of the hub's lists, up to the limit, and says when there is more.
 * @param name the field of a page that holds its rows.
 */
export async function readList<Row>(
  session: Session,
  api: Api,
  list: { readonly path: string; readonly name: string; readonly query: Query; readonly flags: ListFlags },
): Promise<readonly Row[]> {
  const limit = readLimit(list.flags)
  const rows: Row[] = []
  let cursor: string | undefined
  while (rows.length < limit) {
    const query = { ...list.query, cursor, limit: Math.min(PAGE, limit - rows.length) }
    const page = await api.get<Page<Row>>(list.path, query)
    rows.push(...(page[list.name] as readonly Row[]))
    if (page.next === null) return rows
    cursor = page.next
  }
  printNote(session, `the first ${rows.length}; there are more: --limit N or --all`)
  return rows
}

function readLimit({ limit, all }: ListFlags): number {
  if (all === true && limit !== undefined)
    throw usageError('--limit and --all contradict each other', { accepted: 'one of them' })
  if (all === true) return Number.POSITIVE_INFINITY
  if (limit === undefined) return DEFAULT_LIMIT
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit)
  throw new InvalidInputError('--limit', `is ${JSON.stringify(limit)}`, 'a whole number from 1')
}
