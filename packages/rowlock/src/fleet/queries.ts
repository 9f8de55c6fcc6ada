import type { Reader } from '../reading.ts'

/** Reads of devices and their pings. */

export const deviceById = ({ row, from }: Reader, project: number, id: string) =>
  row(
    'devices.byId',
    from.selectFrom('rowlock_devices').selectAll().where('project', '=', project).where('id', '=', id),
  )

/** A device with the state of its subject: all that a ping has to know. */
const pinged = ({ from }: Reader) =>
  from
    .selectFrom('rowlock_devices as d')
    .innerJoin('rowlock_subjects as s', (join) =>
      join
        .onRef('s.id', '=', 'd.id')
        .on(({ eb, cast }) => eb('s.scope', '=', cast<string>('d.project', 'text'))),
    )
    .select(['d.project', 'd.id', 'd.post_only', 'd.manual_resume', 'd.schedule', 'd.timezone', 's.state'])

export type PingedRow = NonNullable<Awaited<ReturnType<typeof deviceByUuid>>>

export const deviceByUuid = (reader: Reader, uuid: string) =>
  reader.row('devices.byUuid', pinged(reader).where('d.uuid', '=', uuid))

/** Up to two: with the second it is clear that the slug says nothing. */
export const devicesBySlug = (reader: Reader, project: number, slug: string) =>
  reader.rows(
    'devices.bySlug',
    pinged(reader).where('d.project', '=', project).where('d.slug', '=', slug).orderBy('d.id').limit(2),
  )

export const pingKeyByHash = ({ row, from }: Reader, hash: string) =>
  row('pingKeys.byHash', from.selectFrom('rowlock_ping_keys').selectAll().where('hash', '=', hash))

export const pingKeyOf = ({ row, from }: Reader, project: number) =>
  row('pingKeys.of', from.selectFrom('rowlock_ping_keys').select('created_at').where('project', '=', project))

/** Newest first. */
export const pingsOf = ({ rows, from }: Reader, project: number, device: string, limit: number) =>
  rows(
    'pings.of',
    from
      .selectFrom('rowlock_pings')
      .selectAll()
      .where('project', '=', project)
      .where('device', '=', device)
      .orderBy('n', 'desc')
      .limit(limit),
  )

/** Projects that have devices: those that are checked. */
export const watchedProjects = ({ rows, from }: Reader) =>
  rows(
    'devices.projects',
    from
      .selectFrom('rowlock_projects as p')
      .select('p.id')
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('rowlock_devices as d').select('d.id').whereRef('d.project', '=', 'p.id')),
      )
      .orderBy('p.id'),
  )

/** When each project that has devices was last checked, by any node; `created_at` is that of one of its devices. */
export const lastTicks = ({ rows, from }: Reader) =>
  rows(
    'devices.lastTicks',
    from
      .selectFrom('rowlock_projects as p')
      .select((build) => [
        build
          .selectFrom('rowlock_checker as c')
          .select('c.last_tick')
          .where('c.scope', '=', build.cast<string>('p.id', 'text'))
          .as('last_tick'),
        build
          .selectFrom('rowlock_devices as d')
          .select('d.created_at')
          .whereRef('d.project', '=', 'p.id')
          .orderBy('d.id')
          .limit(1)
          .as('created_at'),
      ]),
  )

export const subjectCounts = ({ rows, from }: Reader) =>
  rows(
    'subjects.counts',
    from
      .selectFrom('rowlock_subjects')
      .select(({ fn }) => ['scope', 'state', fn.countAll<number>().as('count')])
      .where('deleted_at', 'is', null)
      .groupBy(['scope', 'state'])
      .orderBy('scope')
      .orderBy('state'),
  )

export const openDowntimes = ({ rows, from }: Reader) =>
  rows(
    'downtimes.open',
    from
      .selectFrom('rowlock_downtimes')
      .select(({ fn }) => ['scope', fn.countAll<number>().as('count')])
      .where('ended_at', 'is', null)
      .groupBy('scope')
      .orderBy('scope'),
  )
