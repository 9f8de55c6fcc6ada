import type { Answer, ReadEvent } from './types.ts'

/** Collects what requests bring at the same time, so that they share one commit. */
export interface Gather {
  /** Answers after the events are in the database, in their order. */
  add(events: readonly ReadEvent[]): Promise<readonly Answer[]>
  /** Events that wait or are being written. */
  readonly waiting: number
  /** When the oldest waiting events came, ms; undefined when none wait. */
  readonly oldestAt: number | undefined
  /** Resolves when everything that was added has been answered. */
  drain(): Promise<void>
}

export interface GatherOptions {
  /** Writes one group and answers every event of it. */
  write(events: readonly ReadEvent[]): Promise<readonly Answer[]>
  /** Runs the work when the requests of this moment have been read: `setImmediate` on Node. */
  later(work: () => void): void
  clock(): number
}

/** A group is cut here, so that one commit stays short. */
const GROUP_EVENTS = 2_000

/** At most so many turns of the loop are waited for a group to fill. */
const TURNS = 8

interface Waiting {
  readonly events: readonly ReadEvent[]
  readonly since: number
  answer(answers: readonly Answer[]): void
  fail(error: unknown): void
}

/** For long-lived processes. Where nothing may be shared between requests, call `write` itself. */
export function createGather({ write, later, clock }: GatherOptions): Gather {
  const queue: Waiting[] = []
  let writing: readonly Waiting[] = []
  let waiting = 0
  let planned = false
  let idle: (() => void)[] = []

  const plan = () => {
    if (planned || writing.length > 0) return
    planned = true
    settle(TURNS)
  }

  // While each turn of the loop brings more requests, waiting for the next turn is cheaper than a
  // commit for each handful: nobody waits who could have been answered by now.
  const settle = (turns: number) => {
    const seen = queue.length
    later(() => {
      if (queue.length > seen && turns > 1) return settle(turns - 1)
      planned = false
      void flush()
    })
  }

  const flush = async () => {
    const group = takeGroup(queue)
    writing = group
    try {
      const answers = await write(group.flatMap(({ events }) => events))
      let from = 0
      for (const { events, answer } of group) {
        answer(answers.slice(from, from + events.length))
        from += events.length
      }
    } catch (error) {
      for (const { fail } of group) fail(error)
    }
    writing = []
    waiting -= group.reduce((sum, { events }) => sum + events.length, 0)
    if (queue.length > 0) return plan()
    for (const done of idle) done()
    idle = []
  }

  return {
    add(events) {
      waiting += events.length
      return new Promise((answer, fail) => {
        queue.push({ events, since: clock(), answer, fail })
        plan()
      })
    },
    get waiting() {
      return waiting
    },
    get oldestAt() {
      return (writing[0] ?? queue[0])?.since
    },
    drain() {
      if (waiting === 0) return Promise.resolve()
      return new Promise((done) => idle.push(done))
    },
  }
}

function takeGroup(queue: Waiting[]): readonly Waiting[] {
  let events = 0
  let requests = 0
  for (const waiting of queue) {
    if (requests > 0 && events + waiting.events.length > GROUP_EVENTS) break
    events += waiting.events.length
    requests += 1
  }
  return queue.splice(0, requests)
}
