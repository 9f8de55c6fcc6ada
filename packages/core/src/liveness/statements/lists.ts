import type { Dialect } from '../../port/dialect.ts'
import type { Statement, Value } from '../../port/driver.ts'
import { isSql } from '../../port/sql.ts'
import type { Settings } from '../input/settings.ts'
import type { BeatItem } from './beats.ts'
import { type Templates, templates, withRules } from './index.ts'
import type { SubjectItem } from './register.ts'

/** Statements that belong together, from input that has been read. */
export interface Lists {
  readonly text: Templates
  /** What every statement is given: the scope, the instant, the run, and what decides about alerts. */
  given(now: number | null, run: string): Readonly<Record<string, Value>>
  register(subjects: readonly SubjectItem[], now: number | null): readonly Statement[]
  /** Beats of subjects that are up: one statement. */
  beatUp(beat: BeatItem, now: number | null): Statement
  beatManyUp(beats: readonly BeatItem[], now: number | null): Statement
  /** Beats of subjects in any state. */
  revive(beats: readonly BeatItem[], now: number | null): readonly Statement[]
  /** Tells what is due to be told of outages that began. */
  tellDown(given: Readonly<Record<string, Value>>): readonly Statement[]
  /** The same of outages that ended. */
  tellUp(given: Readonly<Record<string, Value>>): readonly Statement[]
}

/** For how long an alert is tried. */
const MAX_AGE_MS = 3 * 86_400_000

export function lists(dialect: Dialect, settings: Settings): Lists {
  const { prefix, scope, targets, downAfterMs, lateAfterMs } = settings
  const text = isSql(targets) ? withRules(dialect, prefix, targets) : templates(dialect, prefix)
  const always = {
    scope,
    targets: isSql(targets) ? null : JSON.stringify(targets),
    episodeWindow: settings.episodeWindowMs,
    flappingChanges: settings.flapping.changes,
    flappingWithin: settings.flapping.withinMs,
    downAfter: downAfterMs,
    lateAfter: lateAfterMs,
    maxAge: MAX_AGE_MS,
  }
  const given = (now: number | null, run: string) => ({ ...always, now, run })
  const lists: Lists = {
    text,
    given,
    register(subjects, now) {
      const values = { ...given(now, crypto.randomUUID()), subjects: JSON.stringify(subjects) }
      return [text.register.with(values), text.change.with(values)]
    },
    beatUp: (beat, now) => text.beat.with({ scope, now, ...beat }),
    beatManyUp: (beats, now) => text.beatMany.with({ scope, now, beats: JSON.stringify(beats) }),
    revive(beats, now) {
      const values = { ...given(now, crypto.randomUUID()), beats: JSON.stringify(beats) }
      return [text.revive.with(values), text.closeByBeat.with(values), ...lists.tellUp(values)]
    },
    tellDown: (values) => [text.decide.with(values), text.downAlerts.with(values), text.told.with(values)],
    // Without a run: it is counted where a check counts.
    tellUp: (values) => [text.takeBack.with(values), text.upAlerts.with(values), text.toldEnd.with(values)],
  }
  return lists
}
