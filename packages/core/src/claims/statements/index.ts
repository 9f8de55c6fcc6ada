import type { Dialect } from '../../port/dialect.ts'
import type { Template } from '../../port/sql.ts'
import type { ClaimTable } from '../table.ts'
import { acquire } from './acquire.ts'
import { acquireMany } from './acquire-many.ts'
import { complete } from './complete.ts'
import { guard } from './guard.ts'
import { list } from './list.ts'
import { look, lookMany } from './look.ts'
import { release } from './release.ts'
import { renew } from './renew.ts'
import { sweep } from './sweep.ts'
import { unexpired } from './unexpired.ts'

const ALL = { acquire, acquireMany, complete, guard, list, look, lookMany, release, renew, sweep, unexpired }

/** A table's statements. Each text is written when it is first used and then kept. */
export type ClaimStatements = { readonly [Name in keyof typeof ALL]: () => Template }

export function claimStatements(dialect: Dialect, table: ClaimTable): ClaimStatements {
  return Object.fromEntries(
    Object.entries(ALL).map(([name, write]) => {
      let written: Template | undefined
      return [
        name,
        () => {
          written ??= write(dialect, table)
          return written
        },
      ]
    }),
  ) as ClaimStatements
}
