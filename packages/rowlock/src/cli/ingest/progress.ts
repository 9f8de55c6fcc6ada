import { errPaint } from '../output/print.ts'
import { bytes, figure } from '../output/times.ts'
import { truncate } from '../output/width.ts'
import type { Session } from '../session.ts'

/** One line on standard error that is drawn again and again; nothing where that is no terminal. */
export interface Progress {
  /** @param file what is being read; @param size its bytes, where they are known. */
  begin(file: string, size: number | undefined): void
  addBytes(count: number): void
  /** A line of its own above the progress. */
  note(text: string): void
  end(): void
}

export interface ProgressOptions {
  /** Events answered so far, and why nothing goes on, if so. */
  state(): { readonly events: number; readonly waitingFor: string | undefined }
}

const EVERY_MS = 100
const BAR = 24
const CLEAR = '\r\x1b[2K'

export function createProgress(session: Session, { state }: ProgressOptions): Progress {
  const { err } = session
  const draws = err.isTTY === true
  const paint = errPaint(session)
  const startedAt = performance.now()
  let [name, size, read] = ['', undefined as number | undefined, 0]

  const draw = () => {
    const { events, waitingFor } = state()
    const seconds = (performance.now() - startedAt) / 1000
    const parts = [
      name,
      size === undefined ? bytes(read) : `${bar(read / size)} ${Math.floor(Math.min(1, read / size) * 100)}%`,
      `${figure(events)} events`,
      waitingFor === undefined
        ? `${figure(Math.round(events / Math.max(seconds, 0.1)))}/s`
        : `waiting: ${waitingFor}`,
    ]
    const line = truncate(parts.join('  '), (err.columns ?? 80) - 1)
    err.write(CLEAR + (waitingFor === undefined ? line : paint('yellow', line)))
  }
  const timer = draws ? setInterval(draw, EVERY_MS) : undefined
  return {
    begin(file, total) {
      name = file
      size = total
      read = 0
      if (draws) draw()
    },
    addBytes(count) {
      read += count
    },
    note(text) {
      err.write(`${draws ? CLEAR : ''}${text}\n`)
    },
    end() {
      clearInterval(timer)
      if (draws) err.write(CLEAR)
    },
  }
}

function bar(share: number): string {
  const full = Math.floor(Math.min(1, share) * BAR)
  return '█'.repeat(full) + '░'.repeat(BAR - full)
}
