import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Driver } from '@rowlock/core'
import { sqlite } from '@rowlock/core/sqlite'
import { nodeSqlite, openFile, temporaryFile } from '../conformance/sqlite-engines.ts'
import type { Round, Wins } from './rounds.ts'

/** Several processes on one file, each with its share of the racers. */
export interface ProcessRace {
  /** A connection of this process to the same file. */
  readonly driver: Driver
  race(round: Round): Promise<Wins>
  end(): Promise<void>
}

export async function processRace(count: number): Promise<ProcessRace> {
  const file = temporaryFile()
  const database = openFile(nodeSqlite, file.path)
  const program = fileURLToPath(new URL('process.ts', import.meta.url))
  const children = Array.from({ length: count }, () => fork(program, [file.path]))
  await Promise.all(children.map((child) => answerOf(child)))
  return {
    driver: sqlite(database),
    async race(round) {
      const share = { ...round, racers: round.racers / count }
      const answers = children.map((child) => answerOf<Wins>(child))
      for (const child of children) child.send(share)
      return sum(await Promise.all(answers))
    },
    async end() {
      const gone = children.map((child) => once(child, 'exit'))
      for (const child of children) child.disconnect()
      await Promise.all(gone)
      database.close()
      file.remove()
    },
  }
}

function sum(all: readonly Wins[]): Wins {
  const total: Record<string, number> = {}
  for (const wins of all) {
    for (const [key, count] of Object.entries(wins)) total[key] = (total[key] ?? 0) + count
  }
  return total
}

async function answerOf<Answer>(child: ChildProcess): Promise<Answer> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`a racing process ended with ${code}`)
  })
  ended.catch(() => {})
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [Answer]
  return answer
}
