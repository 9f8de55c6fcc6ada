import type { Row } from '../../port/driver.ts'
import { plainText, wholeNumber } from '../../port/input.ts'
import { integer, integerOrNull, text, textOrNull } from '../../port/row.ts'
import { readId, readInstant } from '../input/expectations.ts'
import { LONGEST_ID } from '../input/settings.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { downtimes as statement } from '../statements/list.ts'
import type { Downtime, DowntimeCause, DowntimesOptions, EndReason } from '../types.ts'

export function downtimes({ driver, tables, settings }: Parts): Liveness['downtimes'] {
  return async (options = {}) => {
    check(options)
    const limit = wholeNumber('limit', options.limit ?? 100, 1, 1000)
    const given = { scope: settings.scope, limit: limit + 1 }
    const rows = await driver.execute(statement(driver.dialect, tables, options, given))
    const page = rows.slice(0, limit).map(downtime)
    return { downtimes: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
  }
}

function check({ subject, from, to, episode, before }: DowntimesOptions): void {
  if (subject !== undefined) readId(subject, 'subject')
  if (episode !== undefined) plainText('episode', episode, LONGEST_ID)
  if (before !== undefined) plainText('before', before, LONGEST_ID)
  readInstant('from', from)
  readInstant('to', to)
}

function downtime(row: Row): Downtime {
  return {
    id: text(row, 'id'),
    subject: text(row, 'subject_id'),
    label: textOrNull(row, 'label'),
    startedAt: integer(row, 'started_at'),
    detectedAt: integer(row, 'detected_at'),
    endedAt: integerOrNull(row, 'ended_at'),
    durationMs: integerOrNull(row, 'duration_ms'),
    cause: text(row, 'cause') as DowntimeCause,
    endReason: textOrNull(row, 'end_reason') as EndReason | null,
    episode: text(row, 'episode_id'),
    suppressedBy: textOrNull(row, 'suppressed_by'),
  }
}
