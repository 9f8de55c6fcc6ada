import type { Sql } from '@rowlock/core'
import { statement, text } from '@rowlock/core/module'
import type { Hub } from '../hub.ts'
import { dueFleetReminders, fleetEnds, pointlessFleetNotices } from './statements/fleet-notices.ts'
import { dueReminders, pointlessReminders } from './statements/reminders.ts'

export interface Reminded {
  /** Messages that this call put on their way: reminders, and the ends of what was told as one. */
  readonly queued: number
  /** Messages that had not gone out when what they tell was over. */
  readonly cancelled: number
}

/**
 * Reminds people of outages that they were told of and that last: after an hour and after a day, once for each
 * destination; and tells the end of many outages that were told as one. To be called with every check; any number of callers at
 * once put each message on its way once.
 * @throws UnavailableError when the database could not be asked; calling again is safe.
 */
export async function remind(hub: Pick<Hub, 'ground' | 'outbox' | 'onWork'>): Promise<Reminded> {
  const { ground, outbox } = hub
  const { dialect } = ground.driver
  const now = ground.now()

  const cancel = async (name: string, over: Sql): Promise<number> => {
    const rows = await ground.driver.execute(statement(dialect, over, { name }))
    if (rows.length === 0) return 0
    const taken = await outbox.cancel({ dedupKeys: rows.map((row) => text(row, 'dedup_key')) })
    if (!taken.ok) throw taken.cause
    return taken.changed.length
  }
  const enqueue = async (due: Sql): Promise<number> => {
    const put = await outbox.enqueueFrom(due)
    if (!put.ok) throw put.cause
    return put.changed.length
  }

  const cancelled =
    (await cancel('reminders.pointless', pointlessReminders(dialect))) +
    (await cancel('reminders.pointlessFleet', pointlessFleetNotices()))
  const queued =
    (await enqueue(dueReminders(dialect, now))) +
    (await enqueue(dueFleetReminders(dialect, now))) +
    (await enqueue(fleetEnds()))
  if (queued > 0) hub.onWork()
  return { queued, cancelled }
}
