import { createIssueTally } from './issue-tally.ts'

/** What has become of the lines so far. Every number is counted where it happens. */
export interface Figures {
  readonly lines: number
  readonly blank: number
  /** Lines that went on with the event before them. */
  readonly joined: number
  /** Events below --min-level. */
  readonly skipped: number
  /** Events that the hub counted now. */
  readonly accepted: number
  /** Events that the hub had counted before. */
  readonly duplicates: number
  readonly rejected: number
  /** Events that were read and have no answer: the end came first. */
  readonly unanswered: number
  /** Issues that these events belong to: those that began with them, and those that were known. */
  readonly newIssues: number
  readonly knownIssues: number
  /** Windows that these events won. */
  readonly won: number
  /** Known issues of which the answer was lost that would tell whether a window was won. */
  readonly wonUnknown: number
}

/** One answer of the hub, to one event. */
export interface EventAnswer {
  readonly accepted: boolean
  readonly duplicate?: boolean
  readonly issue?: string
  readonly won?: boolean
  readonly count?: number
  readonly error?: { readonly code: string; readonly message: string }
}

/** An event that was not taken: its file and line, and why. */
export interface Rejection {
  readonly place: string
  readonly reason: string
}

export interface Tally {
  readonly figures: Figures
  /** The first few, for the end. */
  readonly rejections: readonly Rejection[]
  addLines(lines: number, blank: number): void
  /** An event was read, with so many lines behind its first. */
  addEvent(joined: number): void
  skip(): void
  reject(rejection: Rejection): void
  /** @param again whether an earlier try may have been counted: then what the hub knows already is ours. */
  answer(answers: readonly EventAnswer[], places: readonly string[], again: boolean): void
}

const SHOWN_REJECTIONS = 5

export function createTally(): Tally {
  const lines = { lines: 0, blank: 0, joined: 0 }
  const events = { skipped: 0, accepted: 0, duplicates: 0, rejected: 0 }
  let read = 0
  const rejections: Rejection[] = []
  const issues = createIssueTally()

  const reject = (rejection: Rejection) => {
    events.rejected += 1
    if (rejections.length < SHOWN_REJECTIONS) rejections.push(rejection)
  }
  return {
    get figures() {
      const { skipped, accepted, duplicates, rejected } = events
      const unanswered = read - skipped - accepted - duplicates - rejected
      return { ...lines, ...events, unanswered, ...issues.figures() }
    },
    rejections,
    addLines(count, blank) {
      lines.lines += count
      lines.blank += blank
    },
    addEvent(joined) {
      read += 1
      lines.joined += joined
    },
    skip() {
      events.skipped += 1
    },
    reject,
    answer(answers, places, again) {
      answers.forEach(({ accepted, duplicate, error }, at) => {
        if (!accepted) reject({ place: places[at] ?? '', reason: error?.message ?? 'no reason was given' })
        else if (duplicate === true && !again) events.duplicates += 1
        else events.accepted += 1
      })
      issues.answer(answers, again)
    },
  }
}
