import { once } from 'node:events'
import { duration } from '@rowlock/core/module'
import type { IngestFlags } from '../commands/ingest.ts'
import { exits } from '../exit.ts'
import { CommandError } from '../failure.ts'
import { printNote } from '../output/print.ts'
import type { Session } from '../session.ts'
import type { Api } from '../target/api.ts'
import { type Batch, createBatcher } from './batch.ts'
import { type LogFile, openLog } from './file.ts'
import { createFlights } from './flights.ts'
import { catchInterrupts } from './interrupts.ts'
import { createPatience } from './patience.ts'
import { createProgress } from './progress.ts'
import { readLog } from './read.ts'
import { reportFigures } from './report.ts'
import { sendBatch } from './send.ts'
import { createTally, type Tally } from './tally.ts'

/** Requests that are on their way at a time: while one is written, the next are read. */
const AT_A_TIME = 4

/** Sends the events of these logs and prints what became of them; sets the exit code. */
export async function ingest(session: Session, paths: readonly string[], flags: IngestFlags): Promise<void> {
  const giveUpMs = duration('--give-up-after', flags.giveUpAfter)
  const logs: LogFile[] = []
  // All must be there before anything is sent.
  for (const path of paths) logs.push(await openLog(path, session))
  if (flags.dryRun === true) return await printDrafts(session, logs, flags)
  const api = await session.open()
  const work = { session, flags, logs, api, giveUpMs, project: await projectOf(api, flags) }
  const tally = createTally()
  const startedAt = performance.now()
  const effort = { bytes: 0, refused: false }
  try {
    await send(work, tally, (count) => {
      effort.bytes += count
    })
  } catch (error) {
    effort.refused = error instanceof CommandError
    throw error
  } finally {
    reportFigures(session, tally, { ...effort, tookMs: performance.now() - startedAt })
  }
  if (session.exitCode === exits.done && tally.figures.rejected > 0) session.exitCode = exits.failed
}

interface Work {
  readonly session: Session
  readonly flags: IngestFlags
  readonly logs: readonly LogFile[]
  readonly api: Api
  readonly giveUpMs: number
  readonly project: string | number | undefined
}

async function send(work: Work, tally: Tally, onBytes: (count: number) => void): Promise<void> {
  const { session, flags, logs, api, giveUpMs, project } = work
  const interrupts = catchInterrupts(() => patience.waitingFor !== undefined)
  const { stop, abort } = interrupts
  const patience = createPatience({
    giveUpMs,
    signal: abort,
    onWait: (reason) => progress.note(`waiting: ${reason}`),
  })
  const progress = createProgress(session, {
    state: () => ({
      events: tally.figures.accepted + tally.figures.duplicates,
      waitingFor: patience.waitingFor,
    }),
  })
  const flights = createFlights(AT_A_TIME)
  const batcher = createBatcher()
  const dispatch = async (batch: Batch | undefined) => {
    if (batch === undefined) return
    await flights.add(() => sendBatch(batch, { api, project, tally, patience, signal: abort }))
  }
  try {
    for (const log of logs) {
      if (stop.aborted) break
      progress.begin(log.name, log.size)
      await readLog(log, {
        flags,
        tally,
        stop,
        now: session.now,
        onBytes(count) {
          onBytes(count)
          progress.addBytes(count)
        },
        take: (draft, place) => dispatch(batcher.add(draft, place)),
        idle: () => dispatch(batcher.take()),
      })
    }
    await flights.done()
  } catch (error) {
    // After Ctrl-C what was under way ends by itself; any other error is the command's.
    if (interrupts.exitCode === undefined) throw error
  } finally {
    progress.end()
    interrupts.end()
  }
  session.exitCode = interrupts.exitCode ?? session.exitCode
}

/** On a database the oldest project is the one that is meant; a hub knows it by the key. */
async function projectOf(api: Api, flags: IngestFlags): Promise<string | number | undefined> {
  if (flags.project !== undefined || api.place.kind === 'hub') return flags.project
  const { projects } = await api.get<{ projects: readonly { id: number }[] }>('/api/projects')
  return projects[0]?.id
}

async function printDrafts(session: Session, logs: readonly LogFile[], flags: IngestFlags): Promise<void> {
  const tally = createTally()
  const stop = new AbortController().signal
  for (const log of logs) {
    await readLog(log, {
      flags,
      tally,
      stop,
      now: session.now,
      onBytes: () => {},
      take: async (draft) => {
        if (!session.out.write(`${JSON.stringify(draft)}\n`)) await once(session.out, 'drain')
      },
      idle: async () => {},
    })
  }
  const { unanswered, rejected } = tally.figures
  printNote(session, `${unanswered} events, none of them sent; ${rejected} lines would be rejected`)
}
