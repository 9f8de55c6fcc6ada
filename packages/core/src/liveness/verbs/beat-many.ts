import type { Row } from '../../port/driver.ts'
import { integer, text } from '../../port/row.ts'
import { orUnknown } from '../../port/run.ts'
import { readBeats } from '../input/beats.ts'
import type { Liveness, Parts } from '../liveness.ts'
import type { BeatItem } from '../statements/beats.ts'
import type { Beat, BeatManyOutcome } from '../types.ts'
import { refuseAlso, stepsOf } from './together.ts'

type Done = Extract<BeatManyOutcome, { ok: true }>
type Told = Pick<Done, 'counted' | 'closed'>

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
        return all(
          beats,
          steps.map((_, index) => told(results.slice(index * lists[0]!.length))),
        )
      }
      const answers: Told[] = []
      for (const step of steps) answers.push(await beatStep(parts, step, now))
      return all(beats, answers)
    })
  }
}

/** Those that are up in one statement; the others, if any, in a batch. */
async function beatStep(
  { driver, lists }: Parts,
  step: readonly BeatItem[],
  now: number | null,
): Promise<Told> {
  const up = new Set((await driver.execute(lists.beatManyUp(step, now))).map((row) => text(row, 'id')))
  const rest = step.filter(({ id }) => !up.has(id))
  if (rest.length === 0) return { counted: [...up], closed: [] }
  const { counted, closed } = told(await driver.batch(lists.revive(rest, now)))
  return { counted: [...up, ...counted], closed }
}

function told([revived = [], closed = []]: readonly Row[][]): Told {
  return {
    counted: revived.map((row) => text(row, 'id')),
    closed: closed.map((row) => ({
      subject: text(row, 'subject_id'),
      downtime: text(row, 'id'),
      durationMs: integer(row, 'duration_ms'),
    })),
  }
}

/** In the order of the call: RETURNING promises none. */
function all(beats: readonly Beat[], answers: readonly Told[]): Done {
  const ids = [...new Set(beats.map(({ id }) => id))]
  const counted = new Set(answers.flatMap((answer) => answer.counted))
  const closed = new Map(answers.flatMap((answer) => answer.closed).map((each) => [each.subject, each]))
  return {
    ok: true,
    counted: ids.filter((id) => counted.has(id)),
    closed: ids.flatMap((id) => closed.get(id) ?? []),
    missing: ids.filter((id) => !counted.has(id)),
  }
}
