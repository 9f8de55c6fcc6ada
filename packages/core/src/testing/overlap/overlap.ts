import { postgres } from '../../drivers/postgres.ts'
import type { Driver } from '../../port/driver.ts'
import type { Chooser } from '../explore/choice.ts'
import { replaying } from '../explore/choosers.ts'
import { createOdometer, drawnOrders } from '../explore/odometer.ts'
import { seededRandom } from '../explore/random.ts'
import { createTally, vacuous } from '../explore/tally.ts'
import { backendOf } from './blocked.ts'
import { gatedPool } from './pool.ts'
import { runOverlapping, type Seat } from './run.ts'
import type { OverlapClient, OverlapOptions, OverlapReport } from './types.ts'

/**
 * Runs every order (or, with `sample`, so many drawn ones) in which the steps of these actors can reach PostgreSQL while their transactions
 * overlap: each statement, and each COMMIT behind it, is a step, and a statement that has to wait for
 * another's row is seen to wait. Orders of whole statements are not enough there: a statement sees
 * neither what others have written and not committed, nor what they commit while it runs.
 * @throws ExplorationError at the first order that breaks the invariant, or in which an actor throws,
 * with a trace and a list to replay it; and when a label of `mustSee` never came up, or never two
 * actors were at work at once.
 */
export async function overlap(options: OverlapOptions): Promise<OverlapReport> {
  const { actors, replay, sample, seed = 1 } = options
  const clients: OverlapClient[] = []
  const connect = async () => {
    const client = await options.connect()
    clients.push(client)
    return client
  }
  const tally = createTally(options, sample === undefined ? undefined : seed)
  let overlapped = false
  let waited = 0
  try {
    const onlooker = await connect()
    const looking = ungated(await connect())
    const seats: Seat[] = []
    for (const _ of Object.keys(actors)) seats.push(await takeSeat(connect))

    const run = async (choose: Chooser) => {
      tally.refuseMore()
      await options.setup(looking)
      const result = await runOverlapping(actors, seats, onlooker, choose)
      if (result.trace.some((step) => step.waited)) waited++
      await tally.add({ driver: looking, ...result })
    }

    if (replay !== undefined) {
      await run(replaying(replay))
      return { ...tally.report(), waited }
    }
    const odometer =
      sample === undefined ? createOdometer({ mayDiffer: true }) : drawnOrders(seededRandom(seed), sample)
    do {
      await run((choices) => {
        overlapped ||= choices.length > 1
        return choices[odometer.pick(choices.length)]!
      })
    } while (odometer.next())
    tally.refuseUnseen()
    if (!overlapped) throw vacuous('never were two actors at work at once')
    return { ...tally.report(), waited }
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

async function takeSeat(connect: () => Promise<OverlapClient>): Promise<Seat> {
  const client = await connect()
  return { client, backend: await backendOf(client) }
}

/** A driver without a gate, to set up and to look at the data. */
function ungated(client: OverlapClient): Driver {
  return postgres(gatedPool(client, (_text, work) => work()))
}
