import { InvalidInputError } from '../errors.ts'
import { describe } from '../port/input.ts'
import { DEFAULT_PREFIX, type TableNames } from '../port/schema.ts'
import { identifier } from '../port/sql.ts'

const PREFIX = /^[a-z_][a-z0-9_]{0,31}$/

/**
 * The names of the tables that begin with `prefix`.
 * @throws InvalidInputError for a prefix that engines would fold, cut or take apart.
 */
export function tableNames(prefix: string = DEFAULT_PREFIX): TableNames {
  if (typeof prefix !== 'string' || !PREFIX.test(prefix)) {
    throw new InvalidInputError(
      'prefix',
      `is ${describe(prefix)}`,
      '1 to 32 lower-case letters, digits and underscores, not beginning with a digit',
    )
  }
  return (table) => identifier(prefix + table)
}
