import { InvalidInputError } from '../errors.ts'
import { duration } from '../port/input.ts'
import { DEFAULT_PREFIX } from '../port/schema.ts'
import { identifier, isSql, type Sql } from '../port/sql.ts'
import type { ClaimColumn, ClaimsOptions } from './options.ts'

/** Where the claims live, as data for the statements. */
export interface ClaimTable {
  /** As the user wrote it, for messages. */
  readonly name: string
  /** Rowlock's own: rows may be deleted, keys may be hashed. */
  readonly owned: boolean
  readonly sql: Sql
  /** The table's name as a qualifier of columns. */
  readonly row: Sql
  readonly key: Sql
  readonly keyName: string
  /** The claim's columns; null where the table has none. */
  readonly columns: Readonly<Record<ClaimColumn, Sql | null>>
  readonly insert: readonly string[]
  readonly onWin: readonly { readonly column: Sql; readonly value: Sql }[]
  /** Rows claimed further ahead than this are free; null: they are held as they say. */
  readonly reclaimAheadMs: number | null
}

const OWN: Readonly<Record<ClaimColumn, string>> = {
  claimedAt: 'claimed_at',
  expiresAt: 'expires_at',
  token: 'token',
  holder: 'holder',
  state: 'state',
  result: 'result',
  fingerprint: 'fingerprint',
}

/** Columns that a user's table is taken to have unless it is said otherwise: the others' names are too common. */
const USERS = { ...OWN, state: null, result: null, fingerprint: null }

/** Reads where the claims live from the options. @throws InvalidInputError */
export function claimTable(options: ClaimsOptions): ClaimTable {
  const owned = options.table === undefined
  if (owned) refuseTogether(options, ['key', 'insert', 'onWin', 'columns'], 'a table of your own')
  else refuseTogether(options, ['scope', 'prefix'], "Rowlock's own table")

  const name = options.table ?? `${options.prefix ?? DEFAULT_PREFIX}claims`
  const keyName = options.key ?? 'key'
  const names: Readonly<Record<ClaimColumn, string | null>> = {
    ...(owned ? OWN : USERS),
    ...options.columns,
  }
  const { insert = [], onWin = {} } = options
  checkColumns(names, keyName, insert, Object.keys(onWin))

  const row = identifier(name.split('.').at(-1)!)
  return {
    name,
    owned,
    sql: identifier(name),
    row,
    key: identifier(keyName),
    keyName,
    columns: mapped(names, (column) => (column === null ? null : identifier(column))),
    insert,
    onWin: Object.entries(onWin).map(([column, value]) => ({
      column: identifier(column),
      value: isSql(value) ? value : value({ row, column }),
    })),
    reclaimAheadMs:
      options.whenInFuture === 'reclaim'
        ? duration('futureTolerance', options.futureTolerance ?? '1m')
        : null,
  }
}

/**
 * What to try, in order, where columns may be missing: the table as it was described; one with only
 * `claimed_at`; and one without any time, where the first to come keeps the key for ever.
 */
export function fallbacks(table: ClaimTable): readonly ClaimTable[] {
  const bare = mapped(table.columns, () => null)
  const timed = { ...table, columns: { ...bare, claimedAt: table.columns.claimedAt } }
  const untimed = { ...table, columns: bare }
  return table.columns.expiresAt === null ? [table, untimed] : [table, timed, untimed]
}

function checkColumns(
  names: Readonly<Record<ClaimColumn, string | null>>,
  key: string,
  insert: readonly string[],
  onWin: readonly string[],
): void {
  const given = (column: ClaimColumn) => names[column] !== null
  if (!given('claimedAt')) throw new InvalidInputError('columns.claimedAt', 'is null', "a column's name")
  const lease = [given('expiresAt'), given('token'), given('holder')]
  if (lease.includes(true) && lease.includes(false)) {
    throw new InvalidInputError('columns', 'has some of expiresAt, token, holder', 'all three, or none')
  }
  if (!lease[0] && (given('state') || given('result') || given('fingerprint'))) {
    throw new InvalidInputError(
      'columns',
      'has state, result or fingerprint alone',
      'expiresAt, token and holder with them',
    )
  }
  const claims = Object.values(names).filter((name) => name !== null)
  refuseTwice('columns', [key, ...claims])
  refuseTwice('insert', [key, ...claims, ...insert])
  refuseTwice('onWin', [key, ...claims, ...onWin])
}

function refuseTwice(field: string, names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new InvalidInputError(field, `names ${twice} twice`, 'each column once')
  const odd = names.find((name) => /["\\]/.test(name))
  if (odd !== undefined)
    throw new InvalidInputError(field, `names ${odd}`, 'names without quotes and backslashes')
}

function refuseTogether(
  options: ClaimsOptions,
  fields: readonly (keyof ClaimsOptions)[],
  needs: string,
): void {
  const field = fields.find((name) => options[name] !== undefined)
  if (field !== undefined) throw new InvalidInputError(field, 'is given', `only with ${needs}`)
}

function mapped<From, To>(
  columns: Readonly<Record<ClaimColumn, From>>,
  to: (column: From) => To,
): Readonly<Record<ClaimColumn, To>> {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, to(value)])) as Record<
    ClaimColumn,
    To
  >
}
