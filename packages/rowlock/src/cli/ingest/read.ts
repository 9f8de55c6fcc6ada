import { randomUUID } from 'node:crypto'
import { levels } from '../../events/types.ts'
import type { IngestFlags } from '../commands/ingest.ts'
import { type Draft, type DraftOptions, toDraft } from './draft.ts'
import { readEntries } from './entries.ts'
import type { LogFile } from './file.ts'
import { createJoiner } from './joiner.ts'
import { readLines } from './lines.ts'
import type { Tally } from './tally.ts'

export interface ReadOptions {
  readonly flags: IngestFlags
  readonly tally: Tally
  /** The clock, ms: for times without a year. */
  now(): number
  /** Ends the reading. */
  readonly stop: AbortSignal
  onBytes(count: number): void
  /** Takes an event; reading goes on when it resolves. */
  take(draft: Draft, place: string): Promise<void>
  /** Nothing more has come for a while. */
  idle(): Promise<void>
}

/** Reads one log to its end and hands on its events. Holds a chunk of it at a time. */
export async function readLog(log: LogFile, options: ReadOptions): Promise<void> {
  const { flags, tally, now, stop, take, idle } = options
  const joiner = createJoiner(flags.format, () => ({ now: now(), utc: flags.utc === true }))
  const drafting = draftOptions(log, flags)
  const least = flags.minLevel === undefined ? levels.length : levels.indexOf(flags.minLevel)
  const chunks = log.open()
  try {
    for await (const piece of readEntries(readLines(counted(chunks, options.onBytes)), joiner, stop)) {
      tally.addLines(piece.lines, piece.blank)
      for (const entry of piece.entries) {
        const place = `${log.name}:${entry.first.number}`
        if ('broken' in entry) {
          tally.addEvent(0)
          tally.reject({ place, reason: entry.broken })
          continue
        }
        tally.addEvent(entry.joined)
        const draft = toDraft(entry, drafting)
        if (levels.indexOf(draft.level) > least) tally.skip()
        else await take(draft, place)
      }
      if (piece.idle) await idle()
    }
  } finally {
    chunks.destroy()
  }
}

function draftOptions(log: LogFile, flags: IngestFlags): DraftOptions {
  const { source, level, again = false } = flags
  return {
    identity: again ? `${log.identity}\n${randomUUID()}` : log.identity,
    fileName: log.name,
    fallbackSource: log.source,
    ownIds: !again,
    ...(source === undefined ? {} : { source }),
    ...(level === undefined ? {} : { level }),
  }
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  onBytes: (count: number) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onBytes(chunk.length)
    yield chunk
  }
}
