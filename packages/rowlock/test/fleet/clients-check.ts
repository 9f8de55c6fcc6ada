import assert from 'node:assert/strict'
import type { Told } from './clients-story.ts'

/** Clocks of one machine that are read by several programs, in whole ms. */
const ROUNDING_MS = 2

/** The history says exactly what happened: held against the logs that the clients kept themselves. */
export function checkHistory(told: Told, { downAfterMs }: { readonly downAfterMs: number }): void {
  const { clients, outages, planned, failed, pings, uptimes, opened, checks } = told
  const logOf = (id: string) => clients.find((client) => client.id === id)?.log ?? []

  for (const { device, cause, startedAt, endedAt } of outages) {
    const log = logOf(device)
    const name = `${device} ${cause} ${new Date(startedAt).toISOString()} to ${endedAt}`
    assert.ok(Number.isFinite(endedAt) && endedAt >= startedAt, `${name}: has ended`)
    const heard = log.filter(
      ({ sent, ended, ok }) => ok && sent > startedAt + ROUNDING_MS && ended < endedAt - ROUNDING_MS,
    )
    assert.deepEqual(heard, [], `${name}: nobody heard it meanwhile`)
    const during = (at: number) =>
      log.some(({ sent, ended }) => sent - ROUNDING_MS <= at && at <= ended + ROUNDING_MS)
    assert.ok(during(endedAt), `${name}: ended by a request of its own`)
    if (cause === 'silent') assert.ok(during(startedAt), `${name}: began with its last sign of life`)
    if (cause === 'silent')
      assert.ok(endedAt - startedAt >= downAfterMs - ROUNDING_MS, `${name}: long enough`)
  }

  // What was meant to happen did, each time as one outage; nothing else, but for a client that was held up itself.
  const count = (cause: string, id: string) =>
    outages.filter((one) => one.device === id && one.cause === cause).length
  const times = (list: readonly string[], id: string) => list.filter((one) => one === id).length
  for (const { id, log } of clients) {
    const heldUp = log.some(({ sent, ended }) => ended - sent >= downAfterMs / 2)
    const silent = count('silent', id)
    assert.ok(silent >= times(planned, id), `${id}: ${silent} outages of ${times(planned, id)}`)
    if (!heldUp) assert.equal(silent, times(planned, id), `${id} fell silent`)
    assert.equal(count('failed', id), times(failed, id), `${id} failed`)
    const answered = log.filter(({ ok }) => ok).length + times(failed, id)
    const counted = pings.get(id) ?? 0
    assert.ok(counted >= answered && counted <= log.length + times(failed, id), `${id}: ${counted} pings`)
  }

  assert.equal(opened, outages.filter(({ cause }) => cause === 'silent').length, 'sum of opened')
  assert.ok(checks.some(({ verdict }) => verdict === 'catchUp'))
  for (const { device, ratio, upMs, downMs, unknownMs } of uptimes) {
    assert.ok(ratio !== null && ratio >= 0 && ratio <= 1, `${device}: ${ratio}`)
    assert.ok(upMs >= 0 && downMs >= 0 && unknownMs >= 0)
    const own = outages.filter((one) => one.device === device)
    const length = own.reduce((sum, { startedAt, endedAt }) => sum + endedAt - startedAt, 0)
    assert.equal(downMs, length, `${device}: time of its outages`)
  }
}
