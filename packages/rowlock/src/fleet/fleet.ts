import { grouped, type Sql } from '@rowlock/core'
import type { Ground } from '../ground.ts'
import type { Metrics } from '../metrics.ts'
import { type Beats, createBeats } from './beat/beats.ts'
import { type Checker, createChecker } from './checker.ts'
import { createDevices, type Devices } from './device/devices.ts'
import { createDeviceWriter, type DeviceWriter } from './device/writer.ts'
import { createFleetHealth, type FleetHealth } from './health.ts'
import { createHistory, type History } from './history/history.ts'
import { createUptimes, type Uptimes } from './history/uptime.ts'
import { createImports, type Imports } from './import/imports.ts'
import { createPingKeys, type PingKeys } from './ping/keys.ts'
import { createPings, type Pings } from './ping/pings.ts'
import { createWatch, type Watch } from './watch.ts'

/** The hub's devices and jobs: what its routes, pages and commands call. A project is a scope of the library's liveness. */
export interface Fleet {
  /** The library's liveness of each project. */
  readonly watch: Watch
  readonly devices: Devices
  readonly writer: DeviceWriter
  readonly pings: Pings
  readonly pingKeys: PingKeys
  readonly beats: Beats
  readonly imports: Imports
  readonly history: History
  readonly uptime: Uptimes
  readonly checker: Checker
  readonly health: FleetHealth
}

export interface FleetOptions {
  readonly clock: (() => number) | undefined
  /** The distance of checks, ms. */
  readonly everyMs: number
  /** Where alerts go: a sub-select of scope, subject_id, destination. */
  readonly announceTo: Sql
  readonly metrics: Metrics
  /** Reminds of outages that last, after each check. */
  remind(): Promise<unknown>
  onWork(): void
  onProblem(problem: string, cause?: unknown): void
}

export function createFleet(ground: Ground, options: FleetOptions): Fleet {
  const { clock, everyMs, announceTo, metrics, remind, onWork, onProblem } = options
  // Beats that come at the same time share a commit where the engine can.
  const driver = grouped(ground.driver)
  const watch = createWatch({ driver, clock, everyMs, announceTo })
  const devices = createDevices(ground, driver, watch)
  const writer = createDeviceWriter(ground, { driver, watch, devices })
  const pingKeys = createPingKeys(ground)
  const checker = createChecker(ground, { driver, watch, metrics, remind, onWork, onProblem })
  return {
    watch,
    devices,
    writer,
    pingKeys,
    pings: createPings(ground, { driver, watch, writer, pingKeys, metrics, onWork }),
    beats: createBeats(ground, { watch, devices, writer, metrics, onWork }),
    imports: createImports(driver, { writer, devices, watch }),
    history: createHistory(ground),
    uptime: createUptimes(ground, { devices }),
    checker,
    health: createFleetHealth(ground, { checker, everyMs }),
  }
}
