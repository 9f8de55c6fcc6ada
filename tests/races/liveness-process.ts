// One of two processes that check and beat at the same instant in one file; liveness-races.ts starts it.
import { sqlite } from '@rowlock/core/sqlite'
import { nodeSqlite, openFile } from '../conformance/sqlite-engines.ts'
import { racer, type Turn } from './liveness-rounds.ts'

const run = racer(sqlite(openFile(nodeSqlite, process.argv[2]!), { waitAtMost: '60s' }))

process.on('message', async (turn: Turn) => process.send!(await run(turn)))
process.send!('ready')
