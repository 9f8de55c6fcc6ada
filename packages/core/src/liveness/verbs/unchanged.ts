import type { Parts } from '../liveness.ts'
import type { ChangeOutcome } from '../types.ts'

/** Nothing was written: it is so already, or there is no such subject. */
export async function unchanged({ driver, lists, settings }: Parts, id: string): Promise<ChangeOutcome> {
  const [row] = await driver.execute(lists.text.look.with({ scope: settings.scope, id, now: null }))
  return row === undefined ? { ok: false, reason: 'missing' } : { ok: true, changed: false, closed: null }
}
