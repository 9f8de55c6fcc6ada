import { text } from '@rowlock/core/module'
import type { Hub } from '../hub.ts'
import { dueReminders, pointlessReminders } from './statements/reminders.ts'

export interface Reminded {
  /** Reminders that this call put on their way. */
  readonly queued: number
  /** Reminders that had not gone out when their outage ended. */
  readonly cancelled: number
}

/**
 * Reminds people of outages that they were told of and that last: after an hour and after a day, once for each
 * destination. To be called with every check; any number of callers at once put each reminder on its way once.
 * @throws UnavailableError when the database could not be asked; calling again is safe.
 */
export async function remind({
  ground,
  outbox,
  onWork,
}: Pick<Hub, 'ground' | 'outbox' | 'onWork'>): Promise<Reminded> {
  const { dialect } = ground.driver
  const over = await ground.driver.execute(pointlessReminders(dialect))
  const dedupKeys = over.map((row) => text(row, 'dedup_key'))
  const cancelled = dedupKeys.length === 0 ? undefined : await outbox.cancel({ dedupKeys })
  if (cancelled?.ok === false) throw cancelled.cause
  const due = await outbox.enqueueFrom(dueReminders(dialect, ground.now()))
  if (!due.ok) throw due.cause
  if (due.changed.length > 0) onWork()
  return { queued: due.changed.length, cancelled: cancelled?.changed.length ?? 0 }
}
