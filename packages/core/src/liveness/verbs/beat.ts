import type { Row } from '../../port/driver.ts'
import { integer, text } from '../../port/row.ts'
import { orUnknown, runOne } from '../../port/run.ts'
import { readBeat } from '../input/beats.ts'
import { readId, readSubject } from '../input/expectations.ts'
import type { Liveness, Parts } from '../liveness.ts'
import type { BeatItem } from '../statements/beats.ts'
import type { BeatOutcome, SubjectState } from '../types.ts'
import { refuseAlso, together } from './together.ts'

/** One statement where the subject is up; only where that writes nothing is there more to do. */
export function beat({ driver, settings, lists }: Parts): Liveness['beat'] {
  return async (id, options = {}) => {
    const item = readBeat(readId(id), options)
    const unknown = options.register && readSubject(item.id, options.register, 'register.')
    const now = settings.now(options.now)
    const { also } = options
    refuseAlso(driver, also)
    return await orUnknown(async () => {
      const [up] = await runOne(driver, lists.beatUp(item, now), also)
      if (up !== undefined) return told(item, up)
      const registers = unknown === undefined ? [] : lists.register([unknown], now).slice(0, 1)
      const list = [...registers, ...lists.revive([item], now)]
      const results = await together(driver, list, also, registers.length)
      if (results === null) return { ok: false, reason: 'missing' }
      const [[row], [closed]] = results.slice(registers.length) as [[Row], Row[]]
      return told(item, row, closed)
    })
  }
}

function told({ received, sent }: BeatItem, row: Row, closed?: Row): BeatOutcome {
  const judgedAt = integer(row, 'judged_at')
  const receivedAt = Math.min(received ?? judgedAt, judgedAt)
  return {
    ok: true,
    state: text(row, 'state') as SubjectState,
    closed:
      closed === undefined
        ? null
        : { downtime: text(closed, 'id'), durationMs: integer(closed, 'duration_ms') },
    skewMs: sent === null ? null : sent - receivedAt,
  }
}
