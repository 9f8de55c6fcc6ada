import { DIGIT, endOfRun, isAlphanumericAt, isDigitAt } from './characters.ts'

/**
 * The end of the IPv4 address that starts with the digit at `start`, its port or prefix length included, or 0. Four
 * numbers of up to three digits; five and more are something else (a version).
 */
export function endOfIpv4(text: string, start: number): number {
  let at = start
  for (let octet = 0; octet < 4; octet++) {
    if (octet > 0) {
      if (text.charCodeAt(at) !== 46) return 0
      at++
    }
    const end = endOfRun(text, at, DIGIT)
    if (end === at || end > at + 3) return 0
    at = end
  }
  if ((text.charCodeAt(at) === 46 && isDigitAt(text, at + 1)) || isAlphanumericAt(text, at)) return 0
  const separator = text.charAt(at)
  if ((separator === ':' || separator === '/') && isDigitAt(text, at + 1)) {
    const end = endOfRun(text, at + 1, DIGIT)
    if (end - at <= 6 && !isAlphanumericAt(text, end)) return end
  }
  return at
}

/** Whether the whole token is an IPv6 address (a zone such as `%eth0` and brackets are not part of the token). */
export function isIpv6(token: string): boolean {
  if (token.length < 3 || token.length > 45) return false
  const groups = token.split(':')
  if (groups.length < 3 || groups.length > 9) return false
  const gap = token.indexOf('::')
  if (gap !== token.lastIndexOf('::')) return false
  let count = 0
  for (const [index, group] of groups.entries()) {
    const last = index === groups.length - 1
    if (group === '') {
      // Empty groups stand only around the gap: in it, before it at the start, after it at the end.
      if (gap < 0 || (index === 0 && gap !== 0) || (last && gap !== token.length - 2)) return false
    } else if (last && endOfIpv4(group, 0) === group.length) {
      count += 2
    } else if (group.length <= 4 && isHex(group, 0, group.length)) {
      count++
    } else {
      return false
    }
  }
  // `Abc::Def` is a name in code: a shortened address has at least one decimal digit.
  return gap < 0 ? count === 8 : count <= 7 && /[0-9]/.test(token)
}

/** Whether all characters from `start` to `end` are hexadecimal digits. */
export function isHex(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at) | 32
    if (!(code >= 97 && code <= 102) && !isDigitAt(text, at)) return false
  }
  return end > start
}
