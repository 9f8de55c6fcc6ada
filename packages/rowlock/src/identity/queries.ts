import type { Reader } from '../reading.ts'

/** Reads of projects and tokens. */

export const projectByKey = ({ row, from }: Reader, key: string) =>
  row('projects.byKey', from.selectFrom('rowlock_projects').selectAll().where('ingest_key', '=', key))

export const projectById = ({ row, from }: Reader, id: number) =>
  row('projects.byId', from.selectFrom('rowlock_projects').selectAll().where('id', '=', id))

export const projectByName = ({ row, from }: Reader, name: string) =>
  row('projects.byName', from.selectFrom('rowlock_projects').selectAll().where('name', '=', name))

export const allProjects = ({ rows, from }: Reader) =>
  rows('projects.all', from.selectFrom('rowlock_projects').selectAll().orderBy('id'))

export const tokenByHash = ({ row, from }: Reader, hash: string) =>
  row(
    'tokens.byHash',
    from.selectFrom('rowlock_tokens').selectAll().where('hash', '=', hash).where('revoked_at', 'is', null),
  )

export const allTokens = ({ rows, from }: Reader) =>
  rows('tokens.all', from.selectFrom('rowlock_tokens').selectAll().orderBy('id'))
