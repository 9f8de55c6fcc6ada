/**
 * What a masked value is replaced by. One placeholder stands for everything that may take turns in one place of a
 * message: an address is logged with or without its port, by name or by number; an identifier made of random hex digits
 * is all decimal once in a while. If those had placeholders of their own, one trouble would open several issues.
 */
export const placeholders = {
  url: '<url>',
  email: '<email>',
  uuid: '<uuid>',
  /** A host name, an IPv4 or IPv6 address, any of them with a port or a prefix length. */
  host: '<host>',
  /** A date, a time of day, or both with a zone. */
  date: '<date>',
  duration: '<duration>',
  size: '<size>',
  path: '<path>',
  /** A number, a hexadecimal value, a hash, an opaque identifier with digits in it. */
  number: '<num>',
  /** A quoted value. */
  text: '<str>',
  /** The value of a key that says who or where, such as `user=` or `rhost=`; also when it is empty. */
  value: '<value>',
  /** The name of a user in a sentence. */
  user: '<user>',
  /** More than 256 characters without a break: encoded data, not a word. */
  data: '<data>',
  /** The end of a message whose masked text is too long. */
  cut: '<cut>',
} as const

const known: ReadonlySet<string> = new Set(Object.values(placeholders))
const longest = Math.max(...Object.values(placeholders).map((placeholder) => placeholder.length))

/** The length of the placeholder that starts at `at` (where a `<` stands), or 0. Masking a masked text changes nothing. */
export function placeholderLength(text: string, at: number): number {
  const window = text.slice(at, at + longest)
  const length = window.indexOf('>') + 1
  return known.has(window.slice(0, length)) ? length : 0
}

/** Whether a list of these may be shortened to one: `<num>`, `blk_<num>`. */
export function isListItem(token: string): boolean {
  if (!token.endsWith('>') || token === placeholders.value) return false
  const first = token.indexOf('<')
  return first === token.lastIndexOf('<') && (token.endsWith(placeholders.number) || known.has(token))
}
