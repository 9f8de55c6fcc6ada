import type { Dialect } from '../../port/dialect.ts'
import { raw, type Sql, slot, sql } from '../../port/sql.ts'
import { received } from './conditions.ts'

/** The fields of one element of the `beats` parameter: one for each subject, however often it beat. */
export interface BeatItem {
  readonly id: string
  readonly times: number
  /** Null: now. */
  readonly received: number | null
  readonly sent: number | null
  readonly due: number | null
}

/** The `beats` parameter as a table `b`, to stand at the head of a statement. */
export function beatsGiven(dialect: Dialect): Sql {
  const number = (field: string) => sql`cast(value ->> ${raw(`'${field}'`)} as bigint) as ${raw(field)}`
  return sql`b as materialized (
  select value ->> 'id' as subject, ${number('times')}, ${number('received')}, ${number('sent')}, ${number('due')}
  from ${dialect.objects(slot('beats'))} as given
)`
}

/** What `seen` takes of a row of `b`. */
export function beatFields(dialect: Dialect) {
  const given = sql`b.received`
  return {
    received: given,
    at: received(dialect, given),
    beats: sql`b.times`,
    sent: sql`b.sent`,
    due: sql`b.due`,
  }
}
