import type { Summary } from '@rowlock/core/liveness'

/** A device or job as the hub shows it. Instants are ms since 1970. */
export interface Device {
  readonly project: number
  readonly id: string
  readonly name: string | null
  readonly description: string | null
  readonly slug: string | null
  /** `new` before its first beat. */
  readonly state: 'new' | 'up' | 'down' | 'paused'
  /** Up, and due: silent for longer than its period, or past its schedule. */
  readonly late: boolean
  readonly stateChangedAt: number
  readonly lastSeenAt: number | null
  readonly beats: number
  /** When it is down unless a beat comes. */
  readonly deadlineAt: number | null
  /** How far its own clock was from ours at its last beat; null where it told no time. */
  readonly skewMs: number | null
  readonly periodMs: number
  readonly graceMs: number
  /** In place of the period. */
  readonly schedule: string | null
  readonly timezone: string | null
  readonly tags: readonly string[]
  readonly parent: string | null
  readonly maintenanceUntil: number | null
  readonly manualResume: boolean
  readonly postOnly: boolean
  /** A run that has begun and not ended. */
  readonly runningSinceAt: number | null
  readonly lastDurationMs: number | null
  /** Pings that came to its address. */
  readonly pings: number
  readonly createdAt: number
  /** The secret part of its ping address. */
  readonly uuid: string
}

export type PingKind = 'success' | 'start' | 'fail' | 'log' | 'ignored'

/** What came to a device's address. */
export interface Ping {
  /** Counted from 1 for each device. */
  readonly n: number
  readonly kind: PingKind
  readonly rid: string | null
  readonly exitStatus: number | null
  /** From its start; null where there was none. */
  readonly durationMs: number | null
  readonly method: string
  readonly remote: string | null
  readonly agent: string | null
  /** The first 100 KB. */
  readonly body: string | null
  readonly receivedAt: number
}

export interface DeviceQuery {
  /** Null: all projects. */
  readonly project?: number | null
  readonly state?: string | undefined
  readonly tag?: string | undefined
  /** A part of the id or name. */
  readonly q?: string | undefined
  /** `next` of the page before. */
  readonly cursor?: string | undefined
  /** 1 to 200; default 50. */
  readonly limit?: number | undefined
}

/** How many devices were, or by a dry run would be, made, changed, and left as they are. */
export interface Saved {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

/** What one check of one project did. */
export interface ProjectCheck extends Summary {
  readonly project: number
  /** Runs that began and did not end in time. */
  readonly overdueRuns: number
}
