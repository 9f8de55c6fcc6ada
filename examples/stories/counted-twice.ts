import { type Driver, sql, statement } from '@rowlock/core'
import { createLiveness } from '@rowlock/core/liveness'

/**
 * Story 2: the outage that was counted twice.
 *
 * A display fell silent, and two checkers look at the same instant. The row lock and the unique index do their work: one
 * outage row. But each checker counts what it meant to write, so the two reports add up to two outages, and so do the
 * alerts that are sent from them.
 */
export const title =
  'One display falls silent, two checkers look at the same instant: one outage, and the reports add up to 1.'

const SILENT_MS = 5 * 60_000
const NOW = SILENT_MS

export async function broken(driver: Driver): Promise<string> {
  await open(driver)
  const checkers = [checker(driver), checker(driver)]
  const stale = await Promise.all(checkers.map(({ look }) => look()))
  const reports = await Promise.all(checkers.map(({ write }, index) => write(stale[index]!)))
  return told(await count(driver, sql`select count(*) as rows from story_outages`), reports)
}

export async function ours(driver: Driver): Promise<string> {
  const liveness = createLiveness(driver)
  await liveness.install()
  await liveness.beat('display', { register: { downAfter: SILENT_MS }, now: 0 })
  const checks = await Promise.all([0, 1].map(() => liveness.check({ now: NOW })))
  const reports = checks.map((check) => (check.ok ? check.opened : Number.NaN))
  return told((await liveness.downtimes()).downtimes.length, reports)
}

function told(rows: number, reports: readonly number[]): string {
  const sum = reports.reduce((one, other) => one + other, 0)
  return `${rows} outage, the reports say ${sum}`
}

/** Reads who is stale, then writes, as most are written: the update locks the row, the index keeps one open outage. */
function checker({ dialect, execute, batch }: Driver) {
  return {
    async look(): Promise<readonly string[]> {
      const stale = sql`select id from story_displays where state = 'up' and last_seen <= ${NOW - SILENT_MS}`
      return (await execute(statement(dialect, stale, { name: 'story.look' }))).map(({ id }) => String(id))
    },
    async write(stale: readonly string[]): Promise<number> {
      for (const id of stale) {
        await batch([
          statement(dialect, sql`update story_displays set state = 'down' where id = ${id}`, {
            name: 'story.down',
          }),
          statement(dialect, sql`insert into story_outages (display) values (${id}) on conflict do nothing`, {
            name: 'story.outage',
          }),
        ])
      }
      return stale.length
    },
  }
}

async function open({ dialect, execute }: Driver): Promise<void> {
  for (const text of [
    sql`create table story_displays (id text primary key not null, state text not null, last_seen integer not null)`,
    sql`create table story_outages (display text not null, ended_at integer)`,
    sql`create unique index story_outages_open on story_outages (display) where ended_at is null`,
    sql`insert into story_displays (id, state, last_seen) values ('display', 'up', 0)`,
  ]) {
    await execute(statement(dialect, text, { name: 'story.open' }))
  }
}

async function count({ dialect, execute }: Driver, text: ReturnType<typeof sql>): Promise<number> {
  const [row] = await execute(statement(dialect, text, { name: 'story.count' }))
  return Number(row?.rows)
}
