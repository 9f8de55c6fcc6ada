/** Time from `from` up to, and without, `to`; ms since 1970. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** How a span was spent, up to now. Every millisecond counts once: down, else not seen, else up. */
export interface Spent {
  /** From 0 to 1 of the known time; null where nothing is known. */
  readonly ratio: number | null
  readonly upMs: number
  readonly downMs: number
  readonly unknownMs: number
  readonly outages: number
}

export function spentIn(
  whole: Span,
  { down, unseen, now }: { down: readonly Span[]; unseen: readonly Span[]; now: number },
): Spent {
  const to = Math.min(whole.to, now)
  const span = { from: Math.min(whole.from, to), to }
  const outages = down.filter((one) => one.from < span.to && one.to > span.from)
  const downMs = covered(span, outages)
  const unknownMs = covered(span, [...outages, ...unseen]) - downMs
  const upMs = span.to - span.from - downMs - unknownMs
  const known = upMs + downMs
  return { ratio: known > 0 ? upMs / known : null, upMs, downMs, unknownMs, outages: outages.length }
}

/** How much of a span the others cover, where they overlap only once. */
function covered(whole: Span, spans: readonly Span[]): number {
  let total = 0
  let end = whole.from
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    const begin = Math.max(from, end)
    const last = Math.min(to, whole.to)
    if (last <= begin) continue
    total += last - begin
    end = last
  }
  return total
}
