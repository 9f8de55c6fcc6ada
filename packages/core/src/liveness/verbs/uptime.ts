import { wholeNumber } from '../../port/input.ts'
import { integer, integerOrNull, text, truth } from '../../port/row.ts'
import { readId } from '../input/expectations.ts'
import type { Liveness, Parts } from '../liveness.ts'
import { spans } from '../statements/list.ts'

const LATEST = 8_640_000_000_000_000

interface Span {
  readonly from: number
  readonly to: number
}

export function uptime({ driver, tables, settings, lists }: Parts): Liveness['uptime'] {
  return async (id, options) => {
    const subject = readId(id)
    const from = wholeNumber('from', options.from, 0, LATEST)
    const end = wholeNumber('to', options.to, from, LATEST)
    const { scope } = settings
    const look = lists.text.look.with({ scope, id: subject, now: settings.now(options.now) })
    const [row] = await driver.execute(look)
    if (row === undefined) return null
    const to = Math.max(Math.min(end, integer(row, 'judged_at')), from)
    const rows = await driver.execute(spans(driver.dialect, tables, { id: subject, scope, from, to }))
    const spent = (down: boolean): Span[] =>
      rows
        .filter((each) => truth(each, 'down') === down)
        .map((each) => ({ from: integer(each, 'from_at'), to: integerOrNull(each, 'to_at') ?? to }))
    const unknown = [...spent(false), { from: 0, to: integer(row, 'created_at') }]
    if (text(row, 'state') === 'paused') unknown.push({ from: integer(row, 'state_since'), to })
    const outages = spent(true)
    const downMs = lengthOf(outages, from, to)
    const upMs = to - from - lengthOf([...outages, ...unknown], from, to)
    const known = upMs + downMs
    return {
      subject,
      ratio: known > 0 ? upMs / known : null,
      upMs,
      downMs,
      unknownMs: to - from - known,
      outages: outages.length,
    }
  }
}

/** How much of the time between two instants these spans cover together; where they overlap it counts once. */
function lengthOf(spans: readonly Span[], from: number, to: number): number {
  let covered = 0
  let reached = from
  for (const span of spans.toSorted((left, right) => left.from - right.from)) {
    const end = Math.min(span.to, to)
    const start = Math.max(span.from, reached)
    if (start >= end) continue
    covered += end - start
    reached = end
  }
  return covered
}
