/** Who falls silent is one outage and one alert, however many look; what was found and what was written are told apart. */
import { DatabaseSync } from 'node:sqlite'
import { createLiveness } from '@rowlock/core/liveness'
import { createOutbox } from '@rowlock/core/outbox'
import { sqlite } from '@rowlock/core/sqlite'

const driver = sqlite(new DatabaseSync(':memory:'))
// A clock of our own: no need to wait for five minutes.
let now = Date.UTC(2026, 11, 1, 8)
const minutes = (count: number) => {
  now += count * 60_000
}
const liveness = createLiveness(driver, { downAfter: '5m', announceTo: ['operators'], clock: () => now })
const outbox = createOutbox(driver, { clock: () => now })
await liveness.install()

await liveness.beat('tv-17', { register: { label: 'Lobby' } })
await liveness.beat('tv-18', { register: {} })
minutes(4)
await liveness.beat('tv-18')
minutes(1)

for (const checked of await Promise.all([liveness.check(), liveness.check()])) {
  if (!checked.ok) throw checked.cause
  console.log(
    'a check:',
    checked.newlyDown,
    'found,',
    checked.opened,
    'opened,',
    checked.alertsQueued,
    'alert',
  )
}
minutes(3)
const beat = await liveness.beat('tv-17')
console.log(
  'back, the outage in minutes:',
  beat.ok && beat.closed !== null && beat.closed.durationMs / 60_000,
)
const { downtimes } = await liveness.downtimes()
console.log('outages:', downtimes.map(({ subject, label, cause }) => `${subject} (${label}) ${cause}`).join())
// Nobody had sent the alert yet: a down and its up cancel each other.
const { messages } = await outbox.list()
console.log('alerts:', messages.map(({ topic, state }) => `${topic} ${state}`).join())

/* Output:
a check: 1 found, 1 opened, 1 alert
a check: 1 found, 0 opened, 0 alert
back, the outage in minutes: 8
outages: tv-17 (Lobby) silent
alerts: subject.down cancelled
*/
