import type { Statement } from '../../port/driver.ts'
import { readBeat, readBeats } from '../input/beats.ts'
import { readId, readInstant, readSubject, readSubjects } from '../input/expectations.ts'
import type { Settings } from '../input/settings.ts'
import type { Beat, BeatOptions, Expectations, FailOptions } from '../types.ts'
import type { Lists } from './lists.ts'

interface At {
  readonly now?: number
}

/**
 * The module's statements as values, for a batch of the caller's own: each list belongs into one batch, in its order. They
 * check their input like the verbs do, and throw InvalidInputError. The first statement of each writes the subject's row, and
 * gives no row where there is no such subject.
 */
export interface LivenessStatements {
  /** Makes the subjects that are not there, and changes what was given of the others. */
  register(id: string, options?: Expectations & At): readonly Statement[]
  registerMany(
    subjects: readonly ({ readonly id: string } & Expectations)[],
    options?: At,
  ): readonly Statement[]
  /** A beat of a subject in any state. */
  beat(id: string, options?: Omit<BeatOptions, 'also' | 'register'>): readonly Statement[]
  /** Beats of up to 1,000 subjects. */
  beatMany(beats: readonly Beat[], options?: At): readonly Statement[]
  fail(id: string, options?: Omit<FailOptions, 'also'>): readonly Statement[]
  pause(id: string, options?: At): readonly Statement[]
  resume(id: string, options?: At): readonly Statement[]
  remove(id: string, options?: At): readonly Statement[]
}

export function calls(settings: Settings, lists: Lists): LivenessStatements {
  const { text } = lists
  const values = (id: string, now: number | undefined) => ({
    ...lists.given(settings.now(now), crypto.randomUUID()),
    id: readId(id),
  })
  return {
    register: (id, options = {}) =>
      lists.register([readSubject(readId(id), options)], settings.now(options.now)),
    registerMany: (subjects, options = {}) =>
      lists.register(readSubjects(subjects), settings.now(options.now)),
    beat: (id, options = {}) => lists.revive([readBeat(readId(id), options)], settings.now(options.now)),
    beatMany: (beats, options = {}) => lists.revive(readBeats(beats), settings.now(options.now)),
    fail(id, options = {}) {
      const given = {
        ...values(id, options.now),
        downtime: crypto.randomUUID(),
        reason: readReason(options.reason),
        due: readInstant('nextDueAt', options.nextDueAt),
      }
      const opens = [text.failing.with(given), text.openFailed.with(given), text.fallOne.with(given)]
      return [...opens, ...lists.tellDown(given)]
    },
    pause(id, options = {}) {
      const given = { ...values(id, options.now), reason: 'paused' }
      return [text.pause.with(given), text.closeOne.with(given), ...lists.tellUp(given)]
    },
    resume(id, options = {}) {
      const given = values(id, options.now)
      return [text.blindPause.with(given), text.resume.with(given)]
    },
    remove(id, options = {}) {
      const given = { ...values(id, options.now), reason: 'removed' }
      return [text.remove.with(given), text.closeOne.with(given), text.takeBackAll.with(given)]
    },
  }
}

/** PostgreSQL stores no NUL, and nobody reads more. */
function readReason(given: string | undefined): string | null {
  return given === undefined ? null : String(given).slice(0, 2000).replaceAll('\0', '\uFFFD').toWellFormed()
}
