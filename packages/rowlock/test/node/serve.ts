import { readConfig } from '../../src/config/index.ts'
import { startHub, untilStopped } from '../../src/node.ts'

// A hub with the settings of the first argument, as JSON. It tells where it listens in one line of JSON.
const { config } = readConfig({ file: { path: 'settings', text: process.argv[2] ?? '{}' } })
const running = await startHub(config)
const [project] = await running.hub.projects.list()
console.log(JSON.stringify({ url: running.url, ingestKey: project?.ingestKey }))
await untilStopped(running)
