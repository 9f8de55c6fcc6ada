import { stripVTControlCharacters } from 'node:util'

/** Full-width characters of East Asian scripts, and emoji, take two columns. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u
const PLAIN = /^[\x20-\x7e]*$/

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** How many columns a text takes in a terminal. */
export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text)
  if (PLAIN.test(bare)) return bare.length
  let width = 0
  for (const { segment } of segmenter.segment(bare)) width += columnsOf(segment)
  return width
}

/** At most `columns` wide; what was left out shows as an ellipsis. The text must hold no styles. */
export function truncate(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  if (columns < 1) return ''
  let width = 1
  let kept = ''
  for (const { segment } of segmenter.segment(text)) {
    width += columnsOf(segment)
    if (width > columns) break
    kept += segment
  }
  return `${kept.trimEnd()}…`
}

/** As `truncate`, but keeps the end: of a class's name that says more than its beginning. */
export function truncateStart(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  const reversed = [...segmenter.segment(text)].map(({ segment }) => segment).reverse()
  let width = 1
  let kept = ''
  for (const segment of reversed) {
    width += columnsOf(segment)
    if (width > columns) break
    kept = segment + kept
  }
  return `…${kept}`
}

/**
 * A text from elsewhere on one line, fit for a terminal: it can neither move the cursor nor change
 * colours, whatever a sender put into it.
 */
export function printable(text: string): string {
  const oneLine = stripVTControlCharacters(text).replace(/\s+/g, ' ').trim()
  return oneLine.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu, '�')
}

function columnsOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2
  return NO_WIDTH.test(grapheme) && grapheme.length === 1 ? 0 : 1
}
