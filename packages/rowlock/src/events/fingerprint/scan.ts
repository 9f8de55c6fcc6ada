import { isListItem, placeholders } from './placeholders.ts'

/** The masked text is cut behind the token that reaches this many UTF-16 code units. */
export const MASKED_LIMIT = 1024

/** A walk over one line: how far it has come and what it has written. */
export interface Scan {
  readonly text: string
  at: number
  /** Whether white space was passed since the last token. */
  space: boolean
  readonly tokens: string[]
  readonly spaced: boolean[]
  size: number
  /** How many tokens there were when a word for a user was written last. */
  userAt: number
  /** Where the quote ends that is being read as text instead of being masked; -1 when there is none. */
  quoteEnd: number
  /** Quotes for which no closing quote is left in the line, so that no search is made twice. */
  unclosed: string
  /** The same for the quote that is being read as text. */
  unclosedInside: string
}

export function startScan(text: string): Scan {
  return {
    text,
    at: 0,
    space: false,
    tokens: [],
    spaced: [],
    size: 0,
    userAt: -1,
    quoteEnd: -1,
    unclosed: '',
    unclosedInside: '',
  }
}

/** Writes a token and moves on to `next`. */
export function write(scan: Scan, token: string, next: number): void {
  scan.tokens.push(token)
  scan.spaced.push(scan.space)
  scan.size += token.length + 1
  scan.space = false
  scan.at = next
}

/**
 * Writes a token with a placeholder in it and moves on. Lists become their first item (`<num>, <num>, <num>` and
 * `blk_<num> blk_<num>`): how many items there are does not tell one trouble from another.
 */
export function writeMasked(scan: Scan, token: string, next: number): void {
  const last = scan.tokens.length - 1
  const comma = scan.tokens[last] === ','
  if (scan.tokens[comma ? last - 1 : last] === token && isListItem(token)) {
    if (comma) {
      scan.tokens.pop()
      scan.spaced.pop()
    }
    scan.space = false
    scan.at = next
    return
  }
  write(scan, token, next)
}

/** The token written `back` tokens ago, 1 for the last; empty before the first. */
export function tokenBack(scan: Scan, back: number): string {
  return scan.tokens[scan.tokens.length - back] ?? ''
}

/** Whether white space stands before the token written `back` tokens ago. */
export function isSpaced(scan: Scan, back: number): boolean {
  return scan.spaced[scan.spaced.length - back] === true
}

/** Puts another text in the place of the token written `back` tokens ago. */
export function replaceBack(scan: Scan, back: number, token: string): void {
  scan.tokens[scan.tokens.length - back] = token
}

/** What has been written, with a mark at the end if the line has not been read to its end. */
export function written(scan: Scan): string {
  const { tokens, spaced } = scan
  let masked = tokens[0] ?? ''
  for (let index = 1; index < tokens.length; index++) {
    if (spaced[index] === true) masked += ' '
    masked += tokens[index]
  }
  return scan.at < scan.text.length ? masked + placeholders.cut : masked
}
