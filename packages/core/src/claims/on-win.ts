import { identifier, sql } from '../port/sql.ts'
import type { OnWin } from './options.ts'

/** The value that the winner brought: `onWin: { last_seen: excluded() }`. The column must be in `insert`. */
export function excluded(column?: string): OnWin {
  return (place) => sql`excluded.${identifier(column ?? place.column)}`
}

/** One more than the row holds, its own column by default: `onWin: { count: increment() }`. */
export function increment(column?: string): OnWin {
  return (place) => sql`coalesce(${place.row}.${identifier(column ?? place.column)}, 0) + 1`
}
