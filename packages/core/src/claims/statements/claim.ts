import { type Dialect, perDialect } from '../../port/dialect.ts'
import { identifier, join, raw, type Sql, slot, sql } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { free, live, now, rowColumns, ttl } from './conditions.ts'
import { takeover } from './takeover.ts'

/** Where the keys of a claim come from: one that is bound, or a table of many. */
export interface Source {
  readonly key: Sql
  value(column: string): Sql
  /** Further tables to select from; begins with a comma. */
  readonly tables: Sql
  readonly order: Sql
}

/**
 * The statement that decides: a row that comes back is a win, and nothing else is.
 *
 * The WHERE behind DO UPDATE is what gives each window one winner. On PostgreSQL a loser would still
 * be given a transaction id and wait for the disk; NOT EXISTS in front spares it that and decides
 * nothing: of two callers that both see no live row, the conflict still lets one through.
 */
export function claim(dialect: Dialect, table: ClaimTable, source: Source): Sql {
  const { claimedAt, expiresAt, token, holder, state, fingerprint } = table.columns
  const first: (readonly [Sql, Sql])[] = [[table.key, source.key]]
  if (claimedAt !== null) first.push([claimedAt, sql`c.at`])
  if (expiresAt !== null) first.push([expiresAt, sql`c.at + ${ttl}`])
  if (token !== null) first.push([token, sql`c.at`])
  if (holder !== null) first.push([holder, slot('holder')])
  if (state !== null) first.push([state, raw(`'held'`)])
  if (fingerprint !== null) first.push([fingerprint, slot('fingerprint')])
  for (const column of table.insert) first.push([identifier(column), source.value(column)])

  const taken = sql`select 1 from ${table.sql} as taken where taken.${table.key} = ${source.key} and ${live(dialect, table, raw('taken'))}`
  const worthTrying = perDialect(dialect, { sqlite: raw('true'), postgres: sql`not exists (${taken})` })
  const conflict =
    claimedAt === null
      ? raw('nothing')
      : sql`update set ${takeover(dialect, table, { holder: sql`excluded.${holder ?? raw('')}`, fingerprint: sql`excluded.${fingerprint ?? raw('')}`, refresh: true })}
where ${free(dialect, table)}`

  return sql`insert into ${table.sql} (${join(first.map(([column]) => column))})
select ${join(first.map(([, value]) => value))}
from (select ${now(dialect)} as at) c${source.tables}
where ${worthTrying}${source.order}
on conflict (${table.key}) do ${conflict}
returning ${rowColumns(dialect, table)}`
}
