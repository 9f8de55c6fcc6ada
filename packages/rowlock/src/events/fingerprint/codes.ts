import { DIGIT, endOfRun, UPPER } from './characters.ts'
import { type Scan, tokenBack } from './scan.ts'
import { errorCodeFamilies, errorCodeHeralds } from './vocabulary.ts'

/** Codes of SQLSTATE may be all digits. */
export const SQLSTATE_LENGTH = 5

/**
 * Whether a token is the code of a kind of error, which tells troubles apart as a word does: a code of a known family
 * (`ORA-00942`, `TS2345`), or any such token behind the word "error" or its like. Plain numbers are not.
 */
export function isErrorCode(scan: Scan, token: string): boolean {
  if (token.length > 16) return false
  const herald = heraldOf(scan)
  if (herald === 'sqlstate')
    return token.length === SQLSTATE_LENGTH && endOfRun(token, 0, UPPER | DIGIT) === SQLSTATE_LENGTH
  const letters = endOfRun(token, 0, UPPER)
  if (letters === 0) return false
  const separator = token.charAt(letters)
  const digits = separator === '-' || separator === '_' ? letters + 1 : letters
  const count = token.length - digits
  if (count < 3 || count > 5 || endOfRun(token, digits, DIGIT) !== token.length) return false
  return errorCodeFamilies.has(token.slice(0, letters)) || errorCodeHeralds.has(herald)
}

/** The word before, lower case; a bracket or a colon may stand between. */
function heraldOf(scan: Scan): string {
  const last = tokenBack(scan, 1)
  const between = last === '[' || last === '(' || last === ':' || last === '='
  return (between ? tokenBack(scan, 2) : last).toLowerCase()
}
