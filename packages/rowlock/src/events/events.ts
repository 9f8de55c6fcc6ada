import { InvalidInputError, type Statement } from '@rowlock/core'
import type { Claims } from '@rowlock/core/claims'
import type { Outbox } from '@rowlock/core/outbox'
import type { Ground } from '../ground.ts'
import type { Project } from '../identity/projects.ts'
import type { Metrics } from '../metrics.ts'
import { untilAcknowledged } from './attempts.ts'
import { createGather, type Gather } from './gather.ts'
import { groupWriter } from './group.ts'
import { createEventIds } from './identifiers.ts'
import { createWriter, refused, type WriterParts } from './intake.ts'
import { readEvent } from './read.ts'
import { FREED_AFTER_MS } from './statements/free.ts'
import { eventStatements } from './statements/index.ts'
import type { Answer, ReadEvent, Refused } from './types.ts'

/** The intake: events in, each counted once and answered after it has been written. */
export interface Events {
  /**
   * Takes events of one project as senders wrote them; what is wrong with one is its own answer.
   * @throws UnavailableError when the database could not be asked.
   */
  accept(project: Pick<Project, 'id' | 'windowMs'>, given: readonly unknown[]): Promise<readonly Answer[]>
  /** Events that wait for the database. */
  readonly waiting: number
  /** Since when the oldest of them has been waiting, ms; undefined when none is. */
  readonly waitingSince: number | undefined
  /** Resolves when all that was accepted has been answered. */
  drain(): Promise<void>
  /** Ends the window of a win whose deliveries are all dead. */
  free(win: { issue: string; token: number }): Statement
}

export interface EventsOptions {
  readonly claims: Claims
  readonly outbox: Outbox
  /** Collects what comes at the same time; without it each call is written by itself. */
  readonly later: ((work: () => void) => void) | undefined
  readonly metrics: Metrics
  /** There is something to deliver. */
  onWork(): void
  onProblem(problem: string, cause?: unknown): void
}

export function createEvents(ground: Ground, options: EventsOptions): Events {
  const { claims, outbox, later, metrics, onWork, onProblem } = options
  const statements = eventStatements(ground.driver.dialect)
  const write = createWriter(ground, {
    write: counting(metrics, untilAcknowledged(ground, groupWriter(ground, claims, outbox), statements)),
    reject: statements.reject,
    onWon: onWork,
    onProblem,
  })
  const gather: Gather | undefined = later && createGather({ write, later, clock: ground.clock })
  const newId = createEventIds()
  return {
    async accept(project, given) {
      const receivedAt = ground.clock()
      const read = given.map((event) => tryToRead(event, { project, receivedAt, newId }))
      const events = read.filter((one) => 'eventId' in one)
      const answers =
        events.length === 0 ? [] : await (gather === undefined ? write(events) : gather.add(events))
      let next = 0
      const all = read.map((one) => ('eventId' in one ? (answers[next++] as Answer) : one))
      tally(metrics, all)
      return all
    },
    get waiting() {
      return gather?.waiting ?? 0
    },
    get waitingSince() {
      return gather?.oldestAt
    },
    drain: async () => await gather?.drain(),
    free: (win) => statements.free.with({ ...win, after: FREED_AFTER_MS }),
  }
}

function tryToRead(event: unknown, context: Parameters<typeof readEvent>[1]): ReadEvent | Refused {
  try {
    return readEvent(event, context)
  } catch (error) {
    if (error instanceof InvalidInputError) return refused(error.code, error.message, error.details.field)
    throw error
  }
}

function tally(metrics: Metrics, answers: readonly Answer[]): void {
  const accepted = answers.filter((answer) => answer.accepted)
  const duplicates = accepted.filter(({ duplicate }) => duplicate).length
  metrics.add('events_accepted_total', accepted.length - duplicates)
  metrics.add('events_duplicate_total', duplicates)
  metrics.add('events_refused_total', answers.length - accepted.length)
  metrics.add('windows_won_total', accepted.filter(({ won }) => won).length)
}

function counting(metrics: Metrics, write: WriterParts['write']): WriterParts['write'] {
  return async (events) => {
    const written = await write(events)
    metrics.add('event_groups_total', 1)
    return written
  }
}
