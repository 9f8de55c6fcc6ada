import { ALPHANUMERIC, classOf } from './characters.ts'
import type { Scan } from './scan.ts'

const closers: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['‹', '›'],
  ['「', '」'],
  ['『', '』'],
])

/** Whether it is worth asking `closerOf`: told by the code unit alone, for most are no quotes. */
export function mayQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96 || code === 0xab || (code >= 0x2018 && code <= 0x300e)
}

/** The quote that closes the one that opens at `at`, or undefined if no quote opens there. */
export function closerOf(text: string, at: number): string | undefined {
  const closer = closers.get(text.charAt(at))
  if (closer === undefined || (closer.charCodeAt(0) < 128 && isInsideWord(text, at, closer))) return undefined
  return closer
}

/** An apostrophe (`can't`) or an inch, not a quote. A single letter before a quote is a prefix: `b'...'`, `u"..."`. */
function isInsideWord(text: string, at: number, quote: string): boolean {
  const before = text.charCodeAt(at - 1)
  if (before >= 128) return quote === "'"
  if (!isWordEdge(before)) return false
  return !(at === 1 || !isWordEdge(text.charCodeAt(at - 2))) || !'bBuUrRfF'.includes(text.charAt(at - 1))
}

function isWordEdge(code: number): boolean {
  // Placeholders stand for words, so that their brackets count as letters.
  return (classOf(code) & ALPHANUMERIC) !== 0 || code === 60 || code === 62
}

/**
 * The index of the quote that closes the one at `at`, or -1. Linear over a whole line: after a search in vain the scan
 * remembers that no such quote is left.
 */
export function findClose(scan: Scan, at: number, closer: string): number {
  const { text } = scan
  const inside = scan.quoteEnd >= 0
  if ((inside ? scan.unclosedInside : scan.unclosed).includes(closer)) return -1
  const limit = inside ? scan.quoteEnd : text.length
  for (let end = text.indexOf(closer, at + 1); end >= 0 && end < limit; end = text.indexOf(closer, end + 1)) {
    if (text.charCodeAt(end - 1) === 92 && closer === '"') continue
    if (closer === "'" && (isWordEdge(text.charCodeAt(end + 1)) || closers.has(text.charAt(end + 1))))
      continue
    return end
  }
  if (inside) scan.unclosedInside += closer
  else scan.unclosed += closer
  return -1
}
