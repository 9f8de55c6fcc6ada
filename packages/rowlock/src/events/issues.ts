import { InvalidInputError, NotFoundError } from '@rowlock/core'
import { describe, duration, type Template, wholeNumber } from '@rowlock/core/module'
import { decodeCursor, encodeCursor } from '../cursor.ts'
import type { Ground } from '../ground.ts'
import { hoursOf, issueById, issues, rejectedEvents, samplesOf } from './queries.ts'
import type { IssueRow } from './rows.ts'
import { issueStatements } from './statements/issues.ts'
import { levels } from './types.ts'

export const issueStates = ['open', 'resolved', 'ignored', 'snoozed'] as const
export type IssueState = (typeof issueStates)[number]

/** A kind of trouble, all of its events counted. Instants are ms since 1970. */
export interface Issue {
  readonly id: string
  readonly project: number
  readonly fingerprint: string
  readonly fingerprintVersion: number
  readonly source: string
  readonly level: string
  readonly title: string
  readonly state: IssueState
  /** 1, and one more each time it came back after it was resolved. */
  readonly generation: number
  readonly count: number
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly resolvedAt: number | null
  readonly snoozedUntil: number | null
  /** The last win: the work for it was started then, and no other is before `expiresAt`. */
  readonly claim: {
    readonly claimedAt: number
    readonly expiresAt: number | null
    readonly token: number
  } | null
  readonly classification: string | null
  readonly externalId: string | null
}

export interface IssueDetails extends Issue {
  readonly samples: readonly {
    readonly kind: 'first' | 'latest' | 'reopening'
    readonly id: string
    readonly happenedAt: number
    readonly event: unknown
  }[]
  readonly hours: readonly { readonly hourAt: number; readonly count: number }[]
}

export interface IssueQuery {
  /** Null: all projects. */
  readonly project?: number | null
  readonly state?: string | undefined
  readonly source?: string | undefined
  readonly level?: string | undefined
  /** A part of the title. */
  readonly q?: string | undefined
  /** `next` of the page before. */
  readonly cursor?: string | undefined
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined
}

/** An event that the database would not take, put aside. */
export interface RejectedEvent {
  readonly id: number
  readonly project: number
  readonly reason: string
  readonly rejectedAt: number
  readonly event: unknown
}

export interface Issues {
  /** Those seen last first. */
  list(query?: IssueQuery): Promise<{ issues: Issue[]; next: string | null }>
  find(id: string): Promise<Issue | undefined>
  details(id: string): Promise<IssueDetails>
  /** Each is an answer, also when it was so already. @throws NotFoundError */
  resolve(id: string): Promise<Issue>
  ignore(id: string): Promise<Issue>
  /** Counted in silence for a length of time. */
  snooze(id: string, length: number | string): Promise<Issue>
  reopen(id: string): Promise<Issue>
  /** Events that were put aside, the latest first. `limit`: 1 to 200, default 50. */
  rejected(query?: Pick<IssueQuery, 'project' | 'cursor' | 'limit'>): Promise<{
    readonly rejected: readonly RejectedEvent[]
    readonly next: string | null
  }>
}

export function createIssues({ driver, reader, now }: Ground): Issues {
  const statements = issueStatements(driver.dialect)
  const find = async (id: string) => {
    const row = await issueById(reader, id)
    return row && issue(row)
  }
  const found = async (id: string) => {
    const known = await find(id)
    if (known === undefined) throw new NotFoundError(`issue ${id.slice(0, 150)}`)
    return known
  }
  const change = async (statement: Template, id: string, values: Record<string, number> = {}) => {
    await driver.execute(statement.with({ id, now: now(), ...values }))
    return await found(id)
  }
  return {
    async list(query = {}) {
      const limit = wholeNumber('limit', query.limit ?? 50, 1, 200)
      const { filter, after } = readQuery(query)
      const rows = await issues(reader, { ...filter, after }, limit + 1)
      const page = rows.slice(0, limit).map(issue)
      const last = page.at(-1)
      const next = rows.length > limit && last ? encodeCursor([last.lastSeenAt, last.id]) : null
      return { issues: page, next }
    },
    find,
    async details(id) {
      const known = await found(id)
      const [samples, hours] = [await samplesOf(reader, id), await hoursOf(reader, id)]
      return {
        ...known,
        samples: samples.map(({ slot, event_id, at, event }) => ({
          kind: slot === 0 ? 'first' : slot < 100 ? 'latest' : 'reopening',
          id: event_id,
          happenedAt: at,
          event: JSON.parse(event),
        })),
        hours: hours.map(({ hour, count }) => ({ hourAt: hour, count })),
      }
    },
    resolve: (id) => change(statements.resolve, id),
    ignore: (id) => change(statements.ignore, id),
    snooze: async (id, length) => await change(statements.snooze, id, { length: duration('for', length) }),
    reopen: (id) => change(statements.reopen, id),
    async rejected({ project = null, cursor, limit: given = 50 } = {}) {
      const limit = wholeNumber('limit', given, 1, 200)
      const before = cursor === undefined ? undefined : (decodeCursor(cursor, ['number'])[0] as number)
      const rows = await rejectedEvents(reader, project, before, limit + 1)
      const page = rows.slice(0, limit).map(({ number, project, reason, at, event }) => ({
        id: number,
        project,
        reason,
        rejectedAt: at,
        event: JSON.parse(event),
      }))
      const last = page.at(-1)
      return { rejected: page, next: rows.length > limit && last ? encodeCursor([last.id]) : null }
    },
  }
}

function readQuery({ project = null, state, source, level, q, cursor }: IssueQuery) {
  oneOf('state', state, issueStates)
  oneOf('level', level, levels)
  if (q !== undefined && q.length > 200)
    throw new InvalidInputError('q', 'is too long', 'at most 200 characters')
  const [lastSeen, id] = cursor === undefined ? [] : decodeCursor(cursor, ['number', 'string'])
  const after = cursor === undefined ? undefined : { lastSeen: lastSeen as number, id: id as string }
  return { filter: { project, state, source, level, q: q === '' ? undefined : q }, after }
}

function oneOf(field: string, given: string | undefined, known: readonly string[]): void {
  if (given === undefined || known.includes(given)) return
  throw new InvalidInputError(field, `is ${describe(given)}`, known.join(', '))
}

function issue(row: IssueRow): Issue {
  const { claimed_at: claimedAt, token } = row
  return {
    id: row.id,
    project: row.project,
    fingerprint: row.fingerprint,
    fingerprintVersion: row.fingerprint_version,
    source: row.source,
    level: row.level,
    title: row.title,
    state: row.state as IssueState,
    generation: row.generation,
    count: row.count,
    firstSeenAt: row.first_seen,
    lastSeenAt: row.last_seen,
    resolvedAt: row.resolved_at,
    snoozedUntil: row.snoozed_until,
    claim: claimedAt === null || token === null ? null : { claimedAt, expiresAt: row.expires_at, token },
    classification: row.classification,
    externalId: row.external_id,
  }
}
