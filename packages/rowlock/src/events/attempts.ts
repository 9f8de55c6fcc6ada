import { UnavailableError } from '@rowlock/core'
import { integer, type Template, text, textOrNull } from '@rowlock/core/module'
import type { Ground } from '../ground.ts'
import { eventName, type WriteGroup, type Written } from './group.ts'
import { eventsParameter } from './parameters.ts'
import type { ReadEvent } from './types.ts'

const MOST = 4

/**
 * Writes a group until an attempt is acknowledged. An attempt whose acknowledgement was lost may have
 * been carried out all the same: the next one finds its events known, and what it did is found by its run.
 * @throws UnavailableError when the last attempt failed too.
 */
export function untilAcknowledged(
  { driver }: Ground,
  writeGroup: WriteGroup,
  statements: { readonly counted: Template; readonly totals: Template },
) {
  const totals = async (ids: readonly string[]) =>
    await driver.execute(statements.totals.with({ ids: JSON.stringify(ids) }))

  const withEarlier = async (last: Written, events: readonly ReadEvent[], runs: readonly string[]) => {
    const fresh = new Set(last.fresh)
    const given = eventsParameter(events)
    for (const run of runs) {
      const rows = await driver.execute(statements.counted.with({ events: given, run }))
      for (const row of rows) fresh.add(eventName(integer(row, 'project'), text(row, 'event_id')))
    }
    const won = new Set(last.won)
    for (const row of await totals(issuesOf(events))) {
      const holder = textOrNull(row, 'holder')
      if (holder !== null && runs.includes(holder)) won.add(text(row, 'id'))
    }
    return { ...last, fresh, won }
  }

  const withKnownCounts = async (written: Written, events: readonly ReadEvent[]): Promise<Written> => {
    const missing = issuesOf(events).filter((id) => !written.counts.has(id))
    if (missing.length === 0) return written
    const counts = new Map(written.counts)
    for (const row of await totals(missing)) counts.set(text(row, 'id'), integer(row, 'count'))
    return { ...written, counts }
  }

  return async (events: readonly ReadEvent[]): Promise<Written> => {
    const runs: string[] = []
    for (;;) {
      const run = crypto.randomUUID()
      try {
        const written = await writeGroup(events, run)
        const all = runs.length === 0 ? written : await withEarlier(written, events, runs)
        return await withKnownCounts(all, events)
      } catch (error) {
        runs.push(run)
        if (!(error instanceof UnavailableError) || runs.length === MOST) throw error
      }
    }
  }
}

function issuesOf(events: readonly ReadEvent[]): readonly string[] {
  return [...new Set(events.map(({ issue }) => issue))]
}
