import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Driver, Row } from '@rowlock/core'
import { sqlite } from '@rowlock/core/sqlite'
import type { Engine } from '@rowlock/core/testing'
import { type Answer, type Question, toError } from './process-messages.ts'
import { nodeSqlite, openFile, temporaryFile } from './sqlite-engines.ts'

const PEER = fileURLToPath(new URL('process-peer.ts', import.meta.url))

/** One file, each peer of which is another process. `stop` ends the processes. */
export function processEngine(): { readonly engine: Engine; stop(): Promise<void> } {
  const idle: ChildProcess[] = []
  const engine: Engine = {
    name: 'node:sqlite, one file, several processes',
    lacks: { crash: 'the driver under test lives in the process of the test' },
    async open() {
      const file = temporaryFile()
      const database = openFile(nodeSqlite, file.path)
      const driver = sqlite(database)
      const peers: { child: ChildProcess; driver: Driver }[] = []
      return {
        driver,
        async peer() {
          const child = idle.pop() ?? fork(PEER, { serialization: 'advanced' })
          const remote = remoteDriver(child, driver)
          peers.push({ child, driver: remote })
          await ask(child, { kind: 'open', path: file.path })
          return remote
        },
        async dispose() {
          for (const { child } of peers) {
            await ask(child, { kind: 'close' })
            idle.push(child)
          }
          database.close()
          file.remove()
        },
      }
    },
  }
  return { engine, stop: async () => void (await Promise.all(idle.map(end))) }
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.disconnect()
  await gone
}

/** A driver whose calls are run by the other process on its own connection. */
function remoteDriver(child: ChildProcess, { dialect }: Driver): Driver {
  return {
    dialect,
    atomicBatch: true,
    async execute(statement) {
      return (await ask(child, { kind: 'execute', statement })) as Row[]
    },
    async batch(statements) {
      return (await ask(child, { kind: 'batch', statements })) as Row[][]
    },
  }
}

let asked = 0

function ask(child: ChildProcess, question: Question): Promise<unknown> {
  const id = ++asked
  return new Promise((resolve, reject) => {
    const hear = (answer: Answer) => {
      if (answer.id !== id) return
      child.off('message', hear)
      child.off('exit', gone)
      if (answer.error === undefined) resolve(answer.value)
      else reject(toError(answer.error))
    }
    const gone = (code: number | null) => reject(new Error(`the peer's process ended with ${code}`))
    child.on('message', hear)
    child.on('exit', gone)
    child.send({ id, question })
  })
}
