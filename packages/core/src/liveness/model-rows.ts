import type { Downtime, Subject } from './types.ts'

/** A row of the model: the subject as it is told, and since when beats are expected of it. */
export interface SubjectRow extends Omit<{ -readonly [Field in keyof Subject]: Subject[Field] }, 'late'> {
  armedAt: number
  readonly createdAt: number
}

/** An outage, with what its alert told. */
export interface DowntimeRow extends Omit<{ -readonly [Field in keyof Downtime]: Downtime[Field] }, never> {
  readonly reason: string | null
}

/** An alert that was queued. */
export interface AlertRow {
  readonly topic: 'subject.down' | 'subject.up' | 'fleet.down'
  readonly destination: string
  readonly dedupKey: string
  readonly orderingKey: string | null
  readonly payload: Readonly<Record<string, unknown>>
  state: 'pending' | 'cancelled' | 'sent'
}

/** A time about which nothing is known: the checker was asleep (no subject), or the subject paused. */
export interface Blind {
  readonly subject: string | null
  readonly from: number
  readonly to: number
}

/** All that the model keeps. */
export interface Fleet {
  readonly subjects: Map<string, SubjectRow>
  /** In the order in which they were opened. */
  readonly downtimes: DowntimeRow[]
  readonly alerts: AlertRow[]
  readonly blind: Blind[]
  lastTick: number | null
  rearmedAt: number | null
  suspectSince: number | null
}

export const openOf = ({ downtimes }: Fleet, subject: string): DowntimeRow | undefined =>
  downtimes.find((row) => row.subject === subject && row.endedAt === null)
