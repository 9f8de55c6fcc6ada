/** One line of a file, where it stands, and what it says. */
export interface RawLine {
  readonly text: string
  /** Where it begins, in bytes from the start of its file. */
  readonly offset: number
  /** Counted from 1. */
  readonly number: number
}

/** Of a longer line only this much is kept; its end is passed over without being held in memory. */
export const LONGEST_LINE_BYTES = 262_144

const NEWLINE = 0x0a
const RETURN = 0x0d

/**
 * Splits bytes into lines, one array of lines for each chunk that arrives. Holds one chunk and one
 * unfinished line, however large the file is. What is not UTF-8 becomes U+FFFD.
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly RawLine[]> {
  const open = createOpenLine()
  let offset = 0
  let number = 0
  for await (const chunk of chunks) {
    const lines: RawLine[] = []
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      open.add(chunk, from, end)
      number += 1
      lines.push({ text: open.take(), offset, number })
      offset += open.takeLength() + 1
      from = end + 1
    }
    open.add(chunk, from, chunk.length)
    if (lines.length > 0) yield lines
  }
  if (open.length() > 0) yield [{ text: open.take(), offset, number: number + 1 }]
}

/** The line that has begun: at most `LONGEST_LINE_BYTES` of it, and its whole length. */
function createOpenLine() {
  let kept: Buffer[] = []
  let keptBytes = 0
  let length = 0
  return {
    length: () => length,
    add(chunk: Buffer, from: number, to: number) {
      length += to - from
      const room = LONGEST_LINE_BYTES - keptBytes
      if (to === from || room <= 0) return
      const part = chunk.subarray(from, Math.min(to, from + room))
      kept.push(part)
      keptBytes += part.length
    },
    take() {
      const bytes = kept.length === 1 ? kept[0]! : Buffer.concat(kept)
      const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length
      const text = bytes.toString('utf8', 0, end)
      kept = []
      keptBytes = 0
      return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
    },
    takeLength() {
      const taken = length
      length = 0
      return taken
    },
  }
}
