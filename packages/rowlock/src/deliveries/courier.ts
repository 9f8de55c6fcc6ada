import type { Statement } from '@rowlock/core'
import type { AnswerOutcome, Outbox, StoredMessage } from '@rowlock/core/outbox'
import type { Ground } from '../ground.ts'
import type { Metrics } from '../metrics.ts'
import { keptOf } from './destination.ts'
import type { Destinations } from './destinations.ts'
import { type Carriers, dispatch } from './dispatch.ts'
import { kinds } from './kinds/index.ts'
import type { KindName } from './kinds/kind.ts'
import { type WinRef, winOf } from './notice.ts'
import type { Verdict } from './verdict.ts'

/** Takes what is due out of the outbox and sends it, each destination apart from the others. */
export interface Courier {
  /** One round: sends what is due, at most `AT_ONCE` of it, and waits for the answers. How many were tried. */
  round(): Promise<number>
  /** Leases up to `limit` due deliveries and begins each; the promises never reject. */
  begin(limit: number): Promise<readonly Promise<void>[]>
}

export interface CourierOptions {
  readonly outbox: Outbox
  readonly destinations: Destinations
  readonly carriers: Carriers
  /** Where people reach the hub, for links in notices; null where nobody said. */
  readonly publicUrl: string | null
  /** Frees the win's issue if all its deliveries are dead. */
  free(win: WinRef): Statement
  readonly metrics: Metrics
  onProblem(problem: string, cause?: unknown): void
}

const COUNTERS = {
  sent: 'deliveries_sent_total',
  pending: 'deliveries_failed_total',
  dead: 'deliveries_dead_total',
} as const

/** Deliveries that are under way at once. */
export const AT_ONCE = 32
const PER_DESTINATION = 4
/** Longer than one attempt may take; after that another worker may try. */
const LEASE_MS = 60_000

export function createCourier({ driver, clock }: Ground, options: CourierOptions): Courier {
  const { outbox, destinations, carriers, publicUrl, free, metrics, onProblem } = options
  const lease = async (limit: number): Promise<readonly StoredMessage[]> => {
    const leased = await outbox.lease({ limit, ttl: LEASE_MS, perDestination: PER_DESTINATION })
    if (!leased.ok) throw leased.cause
    for (const { dedupKey } of leased.dead) {
      const win = winOf(dedupKey)
      if (win !== undefined) await driver.execute(free(win))
    }
    return leased.messages
  }

  const attempt = async (message: StoredMessage): Promise<Verdict> => {
    const destination = await destinations.forSending(message.destination)
    if (destination === undefined || destination.removed_at !== null) {
      return { kind: 'dead', reason: 'the destination was removed' }
    }
    const now = clock()
    const kept = keptOf(destination)
    const parcel = kinds[destination.kind as KindName].carry(message, kept, { now, publicUrl })
    const { verdict, problem } = await dispatch(parcel, carriers, { now, secret: kept.secret })
    if (problem !== undefined) onProblem(`delivery ${message.id} was sent, but ${problem}`)
    return verdict
  }

  const settle = async (message: StoredMessage, verdict: Verdict): Promise<AnswerOutcome> => {
    if (verdict.kind === 'sent') return await outbox.sent(message)
    const { reason: error } = verdict
    const win = winOf(message.dedupKey)
    const also = win === undefined ? [] : [free(win)]
    if (verdict.kind === 'dead') return await outbox.dead(message, { error, also })
    if (verdict.kind === 'gone') {
      onProblem(`destination ${message.destination} answered 410 and was switched off`)
      const off = destinations.switchOff(message.destination, error)
      return await outbox.dead(message, { error, also: [...also, ...off] })
    }
    const { afterMs } = verdict
    return await outbox.retry(message, {
      error,
      also,
      ...(afterMs === undefined ? {} : { retryAfterMs: afterMs }),
    })
  }

  /** Never throws: what was not settled is found again when its lease is over. */
  const deliver = async (message: StoredMessage): Promise<void> => {
    try {
      const outcome = await settle(message, await attempt(message))
      if (outcome.ok) metrics.add(COUNTERS[outcome.state], 1)
      else onProblem(`delivery ${message.id} was sent, and its answer not written down (${outcome.reason})`)
    } catch (cause) {
      onProblem(`delivery ${message.id} failed`, cause)
    }
  }

  const begin = async (limit: number) => (await lease(limit)).map(deliver)
  return {
    begin,
    async round() {
      return (await Promise.all(await begin(AT_ONCE))).length
    },
  }
}
