import type { Fleet, SubjectRow } from './model-rows.ts'
import type { Uptime } from './types.ts'

interface Span {
  readonly from: number
  readonly to: number
}

/** How a span of time was spent: every millisecond is up, down or unknown; down wins over unknown. */
export function uptimeOf(fleet: Fleet, row: SubjectRow, span: Span, now: number): Uptime {
  const to = Math.min(span.to, now)
  const whole = { from: Math.min(span.from, to), to }
  const outages = fleet.downtimes.filter(
    (each) => each.subject === row.id && each.startedAt < to && (each.endedAt ?? to) > whole.from,
  )
  const down = union(outages.map((each) => cut({ from: each.startedAt, to: each.endedAt ?? to }, whole)))
  const blind: Span[] = fleet.blind.filter(({ subject }) => subject === null || subject === row.id)
  blind.push({ from: Number.NEGATIVE_INFINITY, to: row.createdAt })
  if (row.state === 'paused') blind.push({ from: row.stateSince, to })
  const either = union([...down, ...blind.map((each) => cut(each, whole))])
  const downMs = sum(down)
  const unknownMs = sum(either) - downMs
  const upMs = whole.to - whole.from - downMs - unknownMs
  const known = upMs + downMs
  return {
    subject: row.id,
    ratio: known > 0 ? upMs / known : null,
    upMs,
    downMs,
    unknownMs,
    outages: outages.length,
  }
}

const cut = ({ from, to }: Span, whole: Span): Span => ({
  from: Math.max(from, whole.from),
  to: Math.min(to, whole.to),
})

/** The same time without overlaps. */
function union(spans: readonly Span[]): Span[] {
  const joined: { from: number; to: number }[] = []
  for (const { from, to } of spans.filter((each) => each.from < each.to).sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return joined
}

const sum = (spans: readonly Span[]): number => spans.reduce((total, { from, to }) => total + to - from, 0)
