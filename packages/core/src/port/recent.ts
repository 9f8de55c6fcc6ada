/** What was made for a text, kept for the texts used of late. */
export interface Recent<Made> {
  get(text: string): Made
}

/**
 * Keeps at most twice `size` results. A text that is in use costs one look-up and is never thrown
 * out; texts that are built anew for each call push out one another and not the rest.
 */
export function recent<Made>(size: number, make: (text: string) => Made): Recent<Made> {
  let young = new Map<string, Made>()
  let old = young
  return {
    get(text) {
      const ready = young.get(text)
      if (ready !== undefined) return ready
      const made = old.get(text) ?? make(text)
      if (young.size >= size) {
        old = young
        young = new Map()
      }
      young.set(text, made)
      return made
    },
  }
}
