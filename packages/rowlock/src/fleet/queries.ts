import type { Reader } from '../reading.ts'

/** Reads of devices and their pings. */

export const deviceById = ({ row, from }: Reader, project: number, id: string) =>
  row(
    'devices.byId',
    from.selectFrom('rowlock_devices').selectAll().where('project', '=', project).where('id', '=', id),
  )

export const deviceByUuid = ({ row, from }: Reader, uuid: string) =>
  row('devices.byUuid', from.selectFrom('rowlock_devices').selectAll().where('uuid', '=', uuid))

/** Up to two: with the second it is clear that the slug says nothing. */
export const devicesBySlug = ({ rows, from }: Reader, project: number, slug: string) =>
  rows(
    'devices.bySlug',
    from
      .selectFrom('rowlock_devices')
      .selectAll()
      .where('project', '=', project)
      .where('slug', '=', slug)
      .orderBy('id')
      .limit(2),
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
