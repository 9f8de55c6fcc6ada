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

type Arrived = IteratorResult<readonly RawLine[]> | 'stopped' | 'idle'

/**
 * Joins lines to entries as they come; a pipe that falls silent doesn't keep its last event back.
 * `stop` ends the reading with what has come so far.
 */
export async function* readEntries(
  lines: AsyncGenerator<readonly RawLine[]>,
  joiner: Joiner,
  stop: AbortSignal,
): AsyncGenerator<Piece> {
  for (let arriving = lines.next(), patient = false; !stop.aborted; ) {
    const arrived: Arrived = await first(arriving, stop, patient ? undefined : IDLE_MS)
    if (arrived === 'stopped' || (arrived !== 'idle' && arrived.done === true)) break
    patient = arrived === 'idle'
    if (arrived === 'idle') {
      yield flushed(joiner)
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

/**
 * Whichever comes first: the promise's value, the signal, or `idle` after a while. Nothing of it stays
 * behind on the signal, which outlives a million of these.
 */
async function first<Value>(
  promise: Promise<Value>,
  stop: AbortSignal,
  idleMs: number | undefined,
): Promise<Value | 'stopped' | 'idle'> {
  let release = () => {}
  const other = new Promise<'stopped' | 'idle'>((resolve) => {
    const onStop = () => resolve('stopped')
    const timer = idleMs === undefined ? undefined : setTimeout(() => resolve('idle'), idleMs)
    stop.addEventListener('abort', onStop)
    release = () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', onStop)
    }
  })
  try {
    return await Promise.race([promise, other])
  } finally {
    release()
  }
}
