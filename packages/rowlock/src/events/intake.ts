import { RowlockError } from '@rowlock/core'
import type { Template } from '@rowlock/core/module'
import type { Ground } from '../ground.ts'
import { eventName, type Written } from './group.ts'
import { sampleOf } from './sample.ts'
import type { Accepted, Answer, ReadEvent, Refused } from './types.ts'

/** Writes events and answers each, in their order. @throws UnavailableError when the database could not be asked. */
export type WriteEvents = (events: readonly ReadEvent[]) => Promise<readonly Answer[]>

export interface WriterParts {
  /** Writes a group in which no event stands twice. */
  write(events: readonly ReadEvent[]): Promise<Written>
  readonly reject: Template
  /** Windows were won: their notices wait to be delivered. */
  onWon(): void
  onProblem(problem: string, cause?: unknown): void
}

/** Writes groups whatever is in them: an event that the database will not take is put aside, the others are kept. */
export function createWriter({ driver, now }: Ground, parts: WriterParts): WriteEvents {
  /** Halves a group that is refused until the one event stands alone. */
  const settle = async (events: readonly ReadEvent[], answers: Map<string, Answer>): Promise<void> => {
    try {
      const written = await parts.write(events)
      if (written.won.size > 0) parts.onWon()
      answer(events, written, answers)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const [only] = events
      if (events.length === 1 && only !== undefined) {
        answers.set(nameOf(only), await putAside(only, error))
        return
      }
      const middle = events.length >> 1
      await settle(events.slice(0, middle), answers)
      await settle(events.slice(middle), answers)
    }
  }

  /** @throws the database's error when it will not take the note either: then the event is not to blame. */
  const putAside = async (event: ReadEvent, error: RowlockError): Promise<Refused> => {
    const { project, raw } = event
    await driver.execute(
      parts.reject.with({ project, event: sampleOf(raw), reason: error.message.slice(0, 1_000), now: now() }),
    )
    parts.onProblem(`an event of project ${project} was put aside`, error)
    return refused('REJECTED', 'the database would not take this event; it was put aside')
  }

  return async (events) => {
    const distinct = new Map<string, ReadEvent>()
    for (const event of events) if (!distinct.has(nameOf(event))) distinct.set(nameOf(event), event)
    const answers = new Map<string, Answer>()
    await settle([...distinct.values()], answers)
    return events.map((event) => {
      const given = answers.get(nameOf(event)) as Answer
      const again = given.accepted && distinct.get(nameOf(event)) !== event
      return again ? { ...given, duplicate: true, won: false } : given
    })
  }
}

export function refused(code: string, message: string, field?: unknown): Refused {
  return { accepted: false, error: { code, message, ...(typeof field === 'string' ? { field } : {}) } }
}

/** A win goes to the first new event of its issue. */
function answer(
  events: readonly ReadEvent[],
  { fresh, counts, won }: Written,
  answers: Map<string, Answer>,
): void {
  const unclaimed = new Set(won)
  for (const event of events) {
    const name = nameOf(event)
    const { issue, eventId: id } = event
    const isFresh = fresh.has(name)
    const accepted: Accepted = {
      accepted: true,
      id,
      duplicate: !isFresh,
      issue,
      won: isFresh && unclaimed.delete(issue),
      count: counts.get(issue) ?? 0,
    }
    answers.set(name, accepted)
  }
}

function nameOf({ project, eventId }: ReadEvent): string {
  return eventName(project, eventId)
}

/** The database, or the driver before it, would not take the values; asking again would change nothing. */
function isRefusal(error: unknown): error is RowlockError {
  return error instanceof RowlockError && (error.code === 'ENGINE' || error.code === 'INVALID_INPUT')
}
