/** Small helpers for texts that people read. */

/** One line: control characters, line ends and the marks that turn the direction of text are taken out. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** At most so many UTF-16 units, never half a character; what was left out shows as an ellipsis. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** Escaped, and then at most so many UTF-16 units: no escape sequence is cut through. */
export function escapeWithin(text: string, longest: number, escaped: (text: string) => string): string {
  const whole = escaped(text)
  if (whole.length <= longest) return whole
  let kept = ''
  for (const character of text) {
    const next = escaped(character)
    if (kept.length + next.length >= longest) break
    kept += next
  }
  return `${kept}…`
}

/** 45 s, 4 min, 1 h 12 min, 2 d 3 h. */
export function lengthOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return two(hours, 'h', minutes % 60, 'min')
  return two(Math.floor(hours / 24), 'd', hours % 24, 'h')
}

function two(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`
}

/** 2026-12-01 05:29 UTC. */
export function timeInUtc(at: number): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return 'unknown'
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
