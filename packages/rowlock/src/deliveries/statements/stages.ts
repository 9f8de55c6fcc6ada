import { raw, type Sql, sql } from '@rowlock/core'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** When people are reminded, after they were told; whoever could not be reminded at the first gets the second only. */
export const stages: Sql = sql`(select '1h' as stage, ${raw(String(HOUR_MS))} as after_ms, ${raw(String(DAY_MS))} as until_ms
    union all select '1d', ${raw(String(DAY_MS))}, null)`
