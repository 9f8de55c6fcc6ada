import type { Dialect } from '../../port/dialect.ts'
import type { Statement } from '../../port/driver.ts'
import { duration, plainText, wholeNumber } from '../../port/input.ts'
import type { Sql } from '../../port/sql.ts'
import { LONGEST_KEY, LONGEST_NAME, readKeys, readMessages } from '../input/message.ts'
import { delayAfter, errorText, type Settings } from '../input/settings.ts'
import type {
  Chosen,
  ChosenDead,
  DeadOptions,
  EnqueueOptions,
  Lease,
  LeaseOptions,
  Message,
  RetryOptions,
  StoredMessage,
  SweepOptions,
} from '../types.ts'
import { enqueueFrom, tableNames, templates } from './index.ts'

interface At {
  readonly now?: number
}

/**
 * The module's statements as values, for a batch of the caller's own. They check their input like the
 * verbs do, and throw InvalidInputError.
 */
export interface OutboxStatements {
  /** Gives the rows written, `id` and `dedup_key`; none for a dedup key that is there already. */
  enqueue(messages: Message | readonly Message[], options?: Omit<EnqueueOptions, 'also'>): Statement
  /**
   * Enqueues what a sub-select derives, such as one message for each row that lacks it. Its columns:
   * topic, destination, dedup_key, ordering_key, payload (JSON text), not_before (NULL: at once).
   */
  enqueueFrom(select: Sql, options?: Omit<EnqueueOptions, 'also'>): Statement
  lease(options: LeaseOptions): Statement
  sent(lease: Lease, options?: At): Statement
  retry(lease: Lease & Pick<StoredMessage, 'attempts'>, options: RetryOptions): Statement
  dead(lease: Lease, options: DeadOptions): Statement
  cancel(chosen: Chosen, options?: At): Statement
  redrive(chosen: ChosenDead, options?: At): Statement
  sweep(options?: SweepOptions): Statement
  disable(destination: string, options?: At & { readonly reason?: string }): Statement
  enable(destination: string): Statement
}

export function calls(dialect: Dialect, settings: Settings): OutboxStatements {
  const text = templates(dialect, settings.prefix)
  const { now, attempts, maxAgeMs: maxAge } = settings
  return {
    enqueue: (messages, options = {}) =>
      text.enqueue.with({
        messages: JSON.stringify(readMessages(messages, settings.payloadBytes)),
        maxAge,
        run: readRun(options.run),
        now: now(options.now),
      }),
    enqueueFrom: (select, options = {}) =>
      enqueueFrom(dialect, tableNames(settings.prefix), select, {
        maxAge,
        run: readRun(options.run),
        now: now(options.now),
      }),
    lease: (options) =>
      text.lease.with({
        limit: wholeNumber('limit', options.limit, 1, 1000),
        ttl: duration('ttl', options.ttl),
        perDestination:
          options.perDestination === undefined
            ? null
            : wholeNumber('perDestination', options.perDestination, 1, 1_000_000),
        turn: Math.floor(settings.random() * 2 ** 31),
        attempts,
        now: now(options.now),
      }),
    sent: (lease, options = {}) => text.sent.with({ ...readLease(lease), now: now(options.now) }),
    retry: (lease, options) =>
      text.retry.with({
        ...readLease(lease),
        error: errorText(options.error),
        delay: delayAfter(settings, lease.attempts, options.retryAfterMs),
        attempts,
        now: now(options.now),
      }),
    dead: (lease, options) =>
      text.dead.with({ ...readLease(lease), error: errorText(options.error), now: now(options.now) }),
    cancel: (chosen, options = {}) =>
      'dedupKeys' in chosen
        ? text.cancel.with({
            dedupKeys: JSON.stringify(readKeys('dedupKeys', chosen.dedupKeys)),
            now: now(options.now),
          })
        : text.cancelOrdered.with({
            destination: plainText('destination', chosen.destination, LONGEST_NAME),
            orderingKey: plainText('orderingKey', chosen.orderingKey, LONGEST_KEY),
            now: now(options.now),
          }),
    redrive: (chosen, options = {}) =>
      'dedupKeys' in chosen
        ? text.redrive.with({
            dedupKeys: JSON.stringify(readKeys('dedupKeys', chosen.dedupKeys)),
            maxAge,
            now: now(options.now),
          })
        : text.redriveDestination.with({
            destination: plainText('destination', chosen.destination, LONGEST_NAME),
            limit: wholeNumber('limit', chosen.limit ?? 100, 1, 10_000),
            maxAge,
            now: now(options.now),
          }),
    sweep: (options = {}) =>
      text.sweep.with({
        retention: duration('retention', options.retention ?? '30d'),
        step: wholeNumber('step', options.step ?? 500, 1, 10_000),
        now: now(options.now),
      }),
    disable: (destination, options = {}) =>
      text.disable.with({
        destination: plainText('destination', destination, LONGEST_NAME),
        reason: options.reason === undefined ? null : errorText(options.reason),
        now: now(options.now),
      }),
    enable: (destination) =>
      text.enable.with({ destination: plainText('destination', destination, LONGEST_NAME) }),
  }
}

function readLease({ id, token }: Lease): { id: number; token: number } {
  const most = Number.MAX_SAFE_INTEGER
  return { id: wholeNumber('id', id, 1, most), token: wholeNumber('token', token, 1, most) }
}

function readRun(run: string | undefined): string | null {
  return run === undefined ? null : plainText('run', run, LONGEST_NAME)
}
