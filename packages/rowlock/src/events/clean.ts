/** Text that every engine stores as it is: NUL (PostgreSQL has none) and lone surrogates become U+FFFD. */
export function cleanText(text: string): string {
  const formed = text.isWellFormed() ? text : text.toWellFormed()
  return formed.includes('\0') ? formed.replaceAll('\0', '\uFFFD') : formed
}

/** At most `longest` UTF-16 units, never half a surrogate pair. */
export function cutText(text: string, longest: number): string {
  if (text.length <= longest) return text
  const end = (text.charCodeAt(longest - 1) & 0xfc00) === 0xd800 ? longest - 1 : longest
  return `${text.slice(0, end)}…`
}
