import type { Statement } from '@rowlock/core'
import type { Claims } from '@rowlock/core/claims'
import { integer, text } from '@rowlock/core/module'
import type { Outbox } from '@rowlock/core/outbox'
import { WON } from '../deliveries/notice.ts'
import type { Ground } from '../ground.ts'
import { parameters } from './parameters.ts'
import { createSampling } from './sampling.ts'
import { REOPEN_AFTER_MS } from './statements/count.ts'
import { HOUR_MS } from './statements/hours.ts'
import { claimable, eventStatements, notices } from './statements/index.ts'
import type { ReadEvent } from './types.ts'

/** What one attempt to write a group of events did. */
export interface Written {
  /** Events that had not been counted before, as `eventName` gives them. */
  readonly fresh: ReadonlySet<string>
  /** The count of each issue that was touched. */
  readonly counts: ReadonlyMap<string, number>
  /** Issues whose window this attempt won. */
  readonly won: ReadonlySet<string>
}

/** Writes a group of events; no two of them may have the same name. */
export type WriteGroup = (events: readonly ReadEvent[], run: string) => Promise<Written>

/** An event's name across projects. */
export function eventName(project: number, eventId: string): string {
  return `${project}:${eventId}`
}

/**
 * One batch for a group of events: which of them are new, their issues' counts, the windows they win,
 * the notices of those wins, hourly counts and samples. All of it or nothing. `run` names the attempt
 * and must be new for each: what is counted are the rows that carry it.
 */
export function groupWriter({ driver, now, clock }: Ground, claims: Claims, outbox: Outbox): WriteGroup {
  const { dialect } = driver
  const sampling = createSampling(clock)
  const statements = eventStatements(dialect)
  return async (events, run) => {
    const { issueIds, windows, samples, ...given } = parameters(events, sampling(events))
    const at = now()
    const shared = { run, now: at, events: given.events }
    const ids = JSON.stringify(issueIds)
    const claim = ([ttl, keys]: readonly [number, readonly string[]]) =>
      claims.statements.claimExisting({ keys, ttl, holder: run, where: claimable(run) })
    const batch: Statement[] = [
      statements.see.with(shared),
      statements.count.with({ ...shared, issues: given.issues, after: REOPEN_AFTER_MS }),
      statements.hours.with({ ...shared, hour: HOUR_MS }),
      ...[...windows].map(claim),
      statements.mark.with({ ids, run }),
      outbox.statements.enqueueFrom(notices(dialect, { topic: WON, ids, run }), { run }),
      ...(samples === null ? [] : [statements.samples.with({ run, samples })]),
    ]
    const results = await driver.batch(batch)
    const [seen = [], counted = []] = results
    const claimed = results.slice(3, 3 + windows.size).flat()
    return {
      fresh: new Set(seen.map((row) => eventName(integer(row, 'project'), text(row, 'event_id')))),
      counts: new Map(counted.map((row) => [text(row, 'id'), integer(row, 'count')])),
      won: new Set(claimed.map((row) => text(row, 'key'))),
    }
  }
}
