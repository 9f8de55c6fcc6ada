import { type Dialect, perDialect } from '../../port/dialect.ts'
import { places } from './structure.ts'
import type { Edit, Token } from './tokens.ts'

/** More rows than any check makes. */
const ENOUGH = 1000

/**
 * Puts an end to recursive queries. A mistake in one may make it endless, and SQLite cannot be
 * interrupted from the thread that it blocks. (PostgreSQL can, by statement_timeout, and knows no LIMIT
 * in this place.)
 */
export function endsOfRecursion(tokens: readonly Token[], dialect: Dialect): Edit[] {
  const by = perDialect(dialect, { sqlite: ` limit ${ENOUGH}`, postgres: '' })
  if (by === '' || places(tokens, 'with', 'recursive').length === 0) return []
  return places(tokens, 'as', '(').flatMap((as) => {
    const open = as + 1
    const { depth } = tokens[open]!
    const close = tokens.findIndex((token, at) => at > open && token.depth === depth && token.word === ')')
    const inside = tokens.slice(open + 1, close).filter((token) => token.depth === depth + 1)
    const recursive =
      inside.some(({ word }) => word === 'union') && !inside.some(({ word }) => word === 'limit')
    return recursive ? [{ from: close, to: close, by }] : []
  })
}
