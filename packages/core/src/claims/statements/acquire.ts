import type { Dialect } from '../../port/dialect.ts'
import { raw, slot, type Template, template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { claim } from './claim.ts'

/** Claims one key. A row that comes back is the win. */
export function acquire(dialect: Dialect, table: ClaimTable): Template {
  const source = {
    key: slot('key'),
    value: (column: string) => slot(`values.${column}`),
    tables: raw(''),
    order: raw(''),
  }
  return template(dialect, 'claims.acquire', claim(dialect, table, source))
}
