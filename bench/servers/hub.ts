/** The hub as `rowlock serve` runs it, on a durable file. */
import { readConfig } from '../../packages/rowlock/src/config/index.ts'
import { startHub } from '../../packages/rowlock/src/node.ts'
import { announce } from './ready.ts'

const config = readConfig({ flags: { port: '0', db: process.argv[2] ?? ':memory:' }, environment: {} }).config
const running = await startHub(config, { print: () => {}, isTerminal: true })
const project = await running.hub.projects.first('default', config.window)
announce(running.url, { authorization: `Bearer ${project.ingestKey}` })
