import type { Row } from '../../port/driver.ts'
import { integer, text } from '../../port/row.ts'
import { orUnknown } from '../../port/run.ts'
import { readBeats } from '../input/beats.ts'
import type { Liveness, Parts } from '../liveness.ts'
import type { BeatItem } from '../statements/beats.ts'
import type { BeatManyOutcome } from '../types.ts'
import { refuseAlso, stepsOf } from './together.ts'

type Told = Omit<Extract<BeatManyOutcome, { ok: true }>, 'ok'>

export function beatMany(parts: Parts): Liveness['beatMany'] {
  return async (beats, options = {}) => {
    const items = readBeats(beats)
    const now = parts.settings.now(options.now)
    const { also = [] } = options
    refuseAlso(parts.driver, also)
    return await orUnknown(async () => {
      const steps = stepsOf(items)
      if (also.length > 0) {
        const lists = steps.map((step) => parts.lists.revive(step, now))
        const results = await parts.driver.batch([...lists.flat(), ...also])
        return {
          ok: true,
          ...all(steps.map((step, index) => told(step, results.slice(index * lists[0]!.length)))),
        }
      }
      const answers: Told[] = []
      for (const step of steps) answers.push(await beatStep(parts, step, now))
      return { ok: true, ...all(answers) }
    })
  }
}

/** Those that are up in one statement; the others, if any, in a batch. */
async function beatStep(
  { driver, lists }: Parts,
  step: readonly BeatItem[],
  now: number | null,
): Promise<Told> {
  const up = idsOf(await driver.execute(lists.beatManyUp(step, now)))
  const rest = step.filter(({ id }) => !up.has(id))
  if (rest.length === 0) return { counted: [...up], closed: [], missing: [] }
  const answer = told(rest, await driver.batch(lists.revive(rest, now)))
  return { ...answer, counted: [...up, ...answer.counted] }
}

function told(step: readonly BeatItem[], [revived = [], closed = []]: readonly Row[][]): Told {
  const known = idsOf(revived)
  return {
    counted: [...known],
    closed: closed.map((row) => ({
      subject: text(row, 'subject_id'),
      downtime: text(row, 'id'),
      durationMs: integer(row, 'duration_ms'),
    })),
    missing: step.filter(({ id }) => !known.has(id)).map(({ id }) => id),
  }
}

function all(answers: readonly Told[]): Told {
  return {
    counted: answers.flatMap(({ counted }) => counted),
    closed: answers.flatMap(({ closed }) => closed),
    missing: answers.flatMap(({ missing }) => missing),
  }
}

const idsOf = (rows: readonly Row[]) => new Set(rows.map((row) => text(row, 'id')))
