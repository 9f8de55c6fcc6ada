import { placeholders } from './placeholders.ts'
import { replaceBack, type Scan, tokenBack, write } from './scan.ts'
import { credentialWords, notNames, userAdjectives, userPrepositions, userWords } from './vocabulary.ts'

/** Whether the word about to be written is the name in `for user NAME`, `by user NAME`, `as user NAME`. */
export function isNameOfUser(scan: Scan, word: string): boolean {
  const before = tokenBack(scan, 1)
  // Most words are told by the length of the one before.
  return (
    before.length >= 4 &&
    before.length <= 8 &&
    userWords.has(before.toLowerCase()) &&
    userPrepositions.has(tokenBack(scan, 2).toLowerCase()) &&
    mayBeName(word)
  )
}

/**
 * Masks the word before "from" where it is a name: `user NAME from`, `invalid user NAME from`, `password for NAME from`;
 * an empty name of a rejected user too. Called before "from" is written.
 */
export function maskNameBeforeFrom(scan: Scan): void {
  const before = tokenBack(scan, 2).toLowerCase()
  const signsIn = before === 'for' && credentialWords.has(tokenBack(scan, 3).toLowerCase())
  if (
    (isRejectedUser(scan, 2) && isWord(tokenBack(scan, 1))) ||
    ((signsIn || userWords.has(before)) && mayBeName(tokenBack(scan, 1)))
  ) {
    replaceBack(scan, 1, placeholders.user)
  } else if (isRejectedUser(scan, 1)) {
    scan.space = true
    write(scan, placeholders.user, scan.at)
    scan.space = true
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
  return (
    userWords.has(tokenBack(scan, back).toLowerCase()) &&
    userAdjectives.has(tokenBack(scan, back + 1).toLowerCase())
  )
}

function mayBeName(word: string): boolean {
  return isWord(word) && !notNames.has(word.toLowerCase())
}

function isWord(token: string): boolean {
  return /[A-Za-z0-9<\u0080-\uffff]/.test(token)
}
