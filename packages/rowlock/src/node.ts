import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { HubConfig } from './config/index.ts'
import { openDatabase } from './database.ts'
import { nodeMail } from './deliveries/mail-node.ts'
import { nodeSend } from './deliveries/send-node.ts'
import { type DeliveryWorker, startDeliveryWorker } from './deliveries/worker.ts'
import { handOverFirstToken } from './first-token.ts'
import { startChecking } from './fleet/check-loop.ts'
import { createApp } from './http/app.ts'
import { createHub, type Hub } from './hub.ts'
import { nodeAddress } from './node-address.ts'
import { sweep } from './retention.ts'

export interface RunningHub {
  /** Where it listens, such as http://127.0.0.1:7766. */
  readonly url: string
  readonly hub: Hub
  /** Finishes requests that have begun, commits waiting events, stops the workers, closes the database. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** For people; default `console.error`, so that standard output stays empty. */
  readonly print?: (line: string) => void
  /** Whether a person reads what is printed. Default: whether standard error is a terminal. */
  readonly isTerminal?: boolean
}

const SWEEP_EVERY_MS = 60_000
/** A request that takes longer than this when the hub is stopped is cut off. */
const FINISH_WITHIN_MS = 10_000

/** Opens the database, installs or updates its tables, listens, and starts the workers. */
export async function startHub(config: HubConfig, options: StartOptions = {}): Promise<RunningHub> {
  const { print = console.error, isTerminal = process.stderr.isTTY === true } = options
  const onProblem = (problem: string, cause?: unknown) =>
    print(cause instanceof Error ? `${problem}: ${cause.message}` : problem)
  const database = await openDatabase(config.db)
  try {
    let worker: DeliveryWorker | undefined
    const hub = createHub({
      driver: database.driver,
      config,
      send: nodeSend({ allowPrivate: config.allowPrivateDestinations }),
      mail: nodeMail({ allowPrivate: config.allowPrivateDestinations }),
      later: setImmediate,
      onWork: () => worker?.wake(),
      onProblem,
    })
    const { firstToken } = await hub.install()
    if (firstToken !== undefined) await handOverFirstToken(firstToken.secret, { database, isTerminal, print })
    const { server, url } = await listen(hub)
    worker = startDeliveryWorker({ courier: hub.courier, onProblem })
    const stopChecking = startChecking(hub.fleet.checker, config.checkEvery)
    const stopSweeping = sweepRegularly(hub, onProblem)
    let stopped: Promise<void> | undefined
    const stop = async () => {
      await close(server)
      await hub.events.drain()
      await Promise.all([worker?.stop(), stopChecking(), stopSweeping()])
      await database.close()
    }
    return {
      url,
      hub,
      stop() {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Resolves when the process was asked to end (SIGTERM, SIGINT) and the hub has stopped. */
export async function untilStopped(running: RunningHub): Promise<void> {
  await new Promise<void>((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
  await running.stop()
}

type Server = ReturnType<typeof serve>

function listen(hub: Hub): Promise<{ server: Server; url: string }> {
  const { port, host, trustProxy } = hub.config
  const app = createApp({
    hub,
    driver: hub.ground.driver,
    config: hub.config,
    address: nodeAddress(trustProxy),
  })
  return new Promise((resolve, reject) => {
    const server = serve({ fetch: app.fetch, port, hostname: host }, (info: AddressInfo) => {
      resolve({ server, url: `http://${host.includes(':') ? `[${host}]` : host}:${info.port}` })
    })
    server.on('error', reject)
  })
}

/** Takes no new connections, ends idle ones, waits for the others. */
async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    if ('closeIdleConnections' in server) {
      // A connection becomes idle when its answer has been read; kept alive, it would hold up the end.
      const ending = setInterval(() => server.closeIdleConnections(), 20)
      const cut = setTimeout(() => server.closeAllConnections(), FINISH_WITHIN_MS)
      server.once('close', () => {
        clearInterval(ending)
        clearTimeout(cut)
      })
    }
  })
}

function sweepRegularly(
  hub: Hub,
  onProblem: (problem: string, cause?: unknown) => void,
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    running = sweep(hub).catch((cause) => onProblem('removing what is old failed', cause))
  }, SWEEP_EVERY_MS)
  return async () => {
    clearInterval(timer)
    await running
  }
}
