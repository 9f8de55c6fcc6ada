import { COLON, classOf, DOT } from './characters.ts'
import { placeholders } from './placeholders.ts'
import { closerOf } from './quotes.ts'
import { isSpaced, replaceBack, type Scan, tokenBack, write } from './scan.ts'
import { credentialWords, notNames, userAdjectives, userPrepositions, userWords } from './vocabulary.ts'

/** Remembers that the word is one for a user, so that the next one need not look back. Called after it is written. */
export function noteUser(scan: Scan, word: string): void {
  // Most words are told by their length.
  if (word.length >= 4 && word.length <= 8 && userWords.has(word.toLowerCase()))
    scan.userAt = scan.tokens.length
}

/**
 * Whether the token that is about to be written and ends at `end` is the name in `for user NAME`, `by user NAME`,
 * `as user NAME`.
 */
export function isNameOfUser(scan: Scan, token: string, end: number): boolean {
  return (
    scan.userAt === scan.tokens.length &&
    scan.space &&
    userPrepositions.has(wordBack(scan, 2)) &&
    mayBeName(token) &&
    isEndOfWord(scan.text, end)
  )
}

/**
 * Masks the word before "from" where it is a name: `user NAME from`, `invalid user NAME from`, `password for NAME from`;
 * an empty name of a rejected user too. Called before "from" is written.
 */
export function maskNameBeforeFrom(scan: Scan): void {
  if (!scan.space) return
  if (isRejectedUser(scan, 1)) {
    write(scan, placeholders.user, scan.at)
    scan.space = true
    return
  }
  const before = wordBack(scan, 2)
  const named = userWords.has(before) || (before === 'for' && credentialWords.has(wordBack(scan, 3)))
  if (isRejectedUser(scan, 2) ? isWord(tokenBack(scan, 1)) : named && mayBeName(tokenBack(scan, 1))) {
    replaceBack(scan, 1, placeholders.user)
  }
}

/** Masks the word before a bracket in `invalid user NAME [`. Called before the bracket is written. */
export function maskNameBeforeBracket(scan: Scan): void {
  if (isRejectedUser(scan, 2) && isWord(tokenBack(scan, 1))) replaceBack(scan, 1, placeholders.user)
}

/**
 * Whether the token `back` tokens ago is the "user" of `invalid user`. Whatever stands between that and "from" or a
 * bracket is a name: people who try names try every word.
 */
function isRejectedUser(scan: Scan, back: number): boolean {
  return userWords.has(wordBack(scan, back)) && userAdjectives.has(wordBack(scan, back + 1))
}

/** The token written `back` tokens ago in lower case, if white space stands behind it; else nothing. */
function wordBack(scan: Scan, back: number): string {
  const spaced = back === 1 ? scan.space : isSpaced(scan, back - 1)
  return spaced ? tokenBack(scan, back).toLowerCase() : ''
}

function mayBeName(word: string): boolean {
  return isWord(word) && !notNames.has(word.toLowerCase())
}

function isWord(token: string): boolean {
  return /[A-Za-z0-9<\u0080-\uffff]/.test(token)
}

/** Not where a quote or a placeholder is glued to it. */
function isEndOfWord(text: string, end: number): boolean {
  const kind = classOf(text.charCodeAt(end))
  return (
    (kind === 0 || kind === DOT || kind === COLON) &&
    text.charAt(end) !== '<' &&
    closerOf(text, end) === undefined
  )
}
