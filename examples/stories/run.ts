/** Runs each story for real, the broken way and ours, on SQLite, D1's own runtime and PostgreSQL. */
import * as claimForEver from './claim-for-ever.ts'
import { openEngines } from './engines.ts'
import * as transfer from './transfer.ts'

const stories = [
  { ...claimForEver, brokenIs: 'insert ... on conflict do nothing' },
  { ...transfer, brokenIs: 'a transaction with a guarded debit' },
]

const engines = await openEngines()
try {
  for (const story of stories) {
    console.log(`\n${story.title}`)
    for (const engine of engines) {
      const wrong = await story.broken(engine.driver)
      const right = await story.ours(engine.driver)
      console.log(`  ${engine.name.padEnd(12)} ${story.brokenIs}: ${wrong}`)
      console.log(`  ${''.padEnd(12)} rowlock: ${right}`)
    }
  }
} finally {
  for (const engine of engines) await engine.close()
}
