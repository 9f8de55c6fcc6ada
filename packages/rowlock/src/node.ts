import type { HubConfig } from './config/index.ts'

export interface RunningHub {
  /** Where it listens, such as http://127.0.0.1:7766. */
  readonly url: string
  /** Finishes requests that have begun, commits waiting events, stops the workers, closes the database. */
  stop(): Promise<void>
}

/** Opens the database, installs or updates its tables, listens, and starts the workers. */
export async function startHub(config: HubConfig): Promise<RunningHub> {
  throw new Error(`not listening on ${config.host} yet`)
}
