// Another process with a connection of its own; process-engine.ts starts it and tells it what to run.
import type { Driver } from '@rowlock/core'
import { sqlite } from '@rowlock/core/sqlite'
import type { ClosableDatabase } from '@rowlock/core/testing'
import { type Answer, flatten, type Question } from './process-messages.ts'
import { nodeSqlite, openFile } from './sqlite-engines.ts'

let database: ClosableDatabase | undefined
let driver: Driver | undefined

process.on('message', async ({ id, question }: { id: number; question: Question }) => {
  const answer: Answer = await act(question).then(
    (value) => ({ id, value }),
    (error) => ({ id, error: flatten(error) }),
  )
  process.send!(answer)
})

async function act(question: Question): Promise<unknown> {
  switch (question.kind) {
    case 'open':
      database = openFile(nodeSqlite, question.path)
      driver = sqlite(database)
      return
    case 'execute':
      return (await driver!.execute(question.statement)).map((row) => ({ ...row }))
    case 'batch':
      return (await driver!.batch(question.statements)).map((rows) => rows.map((row) => ({ ...row })))
    case 'close':
      database?.close()
  }
}
