// One of several processes that race for the same keys in one file; processes.ts starts it.
import { sqlite } from '@rowlock/core/sqlite'
import { nodeSqlite, openFile } from '../conformance/sqlite-engines.ts'
import { type Round, race } from './rounds.ts'

const driver = sqlite(openFile(nodeSqlite, process.argv[2]!), { waitAtMost: '60s' })

process.on('message', async (round: Round) => process.send!(await race([driver], round)))
process.send!('ready')
