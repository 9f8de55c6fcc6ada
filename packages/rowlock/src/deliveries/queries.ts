import type { Reader } from '../reading.ts'

/** Reads of destinations and of what is on its way to them. */

const destinations = ({ from }: Reader) =>
  from
    .selectFrom('rowlock_destinations as d')
    .leftJoin('rowlock_destination_settings as s', 's.destination', 'd.id')
    .selectAll('d')
    .select(['s.name', 's.about', 's.tags', 's.settings'])

export const destinationById = (reader: Reader, id: string) =>
  reader.row('destinations.byId', destinations(reader).where('d.id', '=', id))

export function destinationsOf(reader: Reader, project: number | null) {
  const all = destinations(reader).where('d.removed_at', 'is', null)
  const some = project === null ? all : all.where('d.project', '=', project)
  return reader.rows('destinations.of', some.orderBy('d.id'))
}

export interface DeliveryFilter {
  readonly project: number | null
  readonly state?: string | undefined
  readonly destination?: string | undefined
  /** Older than this delivery. */
  readonly before?: number | undefined
}

const columns = [
  'rowlock_outbox.id',
  'rowlock_outbox.topic',
  'rowlock_outbox.destination',
  'rowlock_outbox.dedup_key',
  'rowlock_outbox.payload',
  'rowlock_outbox.not_before',
  'rowlock_outbox.state',
  'rowlock_outbox.attempts',
  'rowlock_outbox.last_error',
  'rowlock_outbox.created_at',
  'rowlock_outbox.finished_at',
  'rowlock_destinations.project',
  'rowlock_destinations.url',
] as const

const joined = ({ from }: Reader) =>
  from
    .selectFrom('rowlock_outbox')
    .innerJoin('rowlock_destinations', 'rowlock_destinations.id', 'rowlock_outbox.destination')
    .select(columns)

/** Deliveries, newest first. */
export function deliveries(reader: Reader, filter: DeliveryFilter, limit: number) {
  const { project, state, destination, before } = filter
  let query = joined(reader).orderBy('rowlock_outbox.id', 'desc').limit(limit)
  if (project !== null) query = query.where('rowlock_destinations.project', '=', project)
  if (state !== undefined) query = query.where('rowlock_outbox.state', '=', state)
  if (destination !== undefined) query = query.where('rowlock_outbox.destination', '=', destination)
  if (before !== undefined) query = query.where('rowlock_outbox.id', '<', before)
  return reader.rows('deliveries.list', query)
}

export const deliveryById = (reader: Reader, id: number) =>
  reader.row('deliveries.byId', joined(reader).where('rowlock_outbox.id', '=', id))

/** When the delivery that has been due longest became due; destinations that are switched off don't count. */
export async function oldestDueAt({ row, from }: Reader, now: number): Promise<number | undefined> {
  const query = from
    .selectFrom('rowlock_outbox as o')
    .select('o.not_before')
    .where('o.finished_at', 'is', null)
    .where('o.not_before', '<=', now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('rowlock_outbox_destinations as x')
            .select('x.destination')
            .whereRef('x.destination', '=', 'o.destination'),
        ),
      ),
    )
    .orderBy('o.not_before')
    .limit(1)
  return (await row('deliveries.oldestDue', query))?.not_before
}

/** How many deliveries are in each unfinished or failed state. */
export const countByState = ({ rows, from }: Reader) =>
  rows(
    'deliveries.countByState',
    from
      .selectFrom('rowlock_outbox')
      .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
      .where('state', 'in', ['pending', 'leased', 'dead'])
      .groupBy('state'),
  )
