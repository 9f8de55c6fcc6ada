import type { Broken, Entry, Joiner } from './joiner.ts'
import type { RawLine } from './lines.ts'

/** What a piece of a log held. `idle`: nothing more came for a while, so what waits should be sent. */
export interface Piece {
  readonly lines: number
  readonly blank: number
  readonly entries: readonly (Entry | Broken)[]
  readonly idle: boolean
}

/** So long an event may wait for lines that go on with it. */
const IDLE_MS = 500

/**
 * Joins lines to entries as they come; a pipe that falls silent doesn't keep its last event back.
 * `stop` ends the reading with what has come so far.
 */
export async function* readEntries(
  lines: AsyncGenerator<readonly RawLine[]>,
  joiner: Joiner,
  stop: AbortSignal,
): AsyncGenerator<Piece> {
  const stopped = new Promise<'stopped'>((resolve) => {
    stop.addEventListener('abort', () => resolve('stopped'), { once: true })
  })
  for (let arriving = lines.next(); !stop.aborted; ) {
    const arrived = await first(arriving, stopped)
    if (arrived === 'stopped' || (typeof arrived === 'object' && arrived.done === true)) break
    if (arrived === 'idle') {
      yield flushed(joiner)
      if ((await Promise.race([arriving, stopped])) === 'stopped') break
      continue
    }
    arriving = lines.next()
    yield pieceOf(arrived.value, joiner)
  }
  yield flushed(joiner)
}

function pieceOf(lines: readonly RawLine[], joiner: Joiner): Piece {
  const filled = lines.filter(({ text }) => text.trim() !== '')
  const entries = filled.map((line) => joiner.push(line)).filter((entry) => entry !== undefined)
  return { lines: lines.length, blank: lines.length - filled.length, entries, idle: false }
}

function flushed(joiner: Joiner): Piece {
  const last = joiner.flush()
  return { lines: 0, blank: 0, entries: last === undefined ? [] : [last], idle: true }
}

/** Whichever comes first; `idle` when nothing does for a while. */
async function first<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<One | Other | 'idle'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'idle'>((resolve) => {
    timer = setTimeout(() => resolve('idle'), IDLE_MS)
  })
  try {
    return await Promise.race([one, other, late])
  } finally {
    clearTimeout(timer)
  }
}
