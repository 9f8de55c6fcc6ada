import { InvalidInputError, NotFoundError, type Row, type Statement } from '@rowlock/core'
import { plainText } from '@rowlock/core/module'
import type { Outbox } from '@rowlock/core/outbox'
import type { Ground } from '../ground.ts'
import { hex } from '../identity/secrets.ts'
import { destinationById, destinationsOf } from './queries.ts'
import type { DestinationRow } from './rows.ts'
import { refusePrivateHost } from './send.ts'
import { isSecret, newSecret } from './sign.ts'
import { destinationStatements } from './statements/destinations.ts'

/** Where a project's notices go. Its signing secret is shown only to who adds it. */
export interface Destination {
  readonly id: string
  readonly project: number
  readonly kind: 'webhook'
  readonly url: string
  readonly enabled: boolean
  /** Why it was switched off, when it switched itself off (410). */
  readonly disabledReason: string | null
  readonly createdAt: number
}

export interface Destinations {
  /** @throws InvalidInputError for an address that may not be delivered to, NotFoundError for no project. */
  add(project: number, options: { url: unknown; secret?: unknown }): Promise<Destination & { secret: string }>
  list(project: number | null): Promise<Destination[]>
  find(id: string): Promise<Destination | undefined>
  /** With its secret, for signing; removed ones too. */
  forSending(id: string): Promise<DestinationRow | undefined>
  change(id: string, changes: { url?: unknown; enabled?: unknown }): Promise<Destination>
  /** What is on its way there ends as dead. */
  remove(id: string): Promise<Destination>
  /** Statements that switch it off, for the batch that writes the refusal down. */
  switchOff(id: string, reason: string): readonly Statement[]
}

export interface DestinationOptions {
  readonly allowPrivate: boolean
}

export function createDestinations(
  ground: Ground,
  outbox: Outbox,
  options: DestinationOptions,
): Destinations {
  const { driver, reader, now } = ground
  const statements = destinationStatements(driver.dialect)
  const switchOff = (id: string, reason: string) => [
    outbox.statements.disable(id, { reason }),
    statements.disable.with({ id, reason }),
  ]
  const changed = (id: string, rows: readonly Row[] | undefined): Destination => {
    if (rows?.[0] === undefined) throw new NotFoundError(`destination ${id}`)
    return destination(rows[0] as Row & DestinationRow)
  }
  return {
    async add(project, given) {
      const secret = given.secret === undefined ? newSecret() : readSecret(given.secret)
      const values = { id: newId(), project, url: readUrl(given.url, options), secret, now: now() }
      const rows = await driver.execute(statements.add.with(values))
      if (rows[0] === undefined) throw new NotFoundError(`project ${project}`)
      return { ...destination(rows[0] as Row & DestinationRow), secret }
    },
    list: async (project) => (await destinationsOf(reader, project)).map(destination),
    async find(id) {
      const row = await destinationById(reader, id)
      return row === undefined || row.removed_at !== null ? undefined : destination(row)
    },
    forSending: async (id) => await destinationById(reader, id),
    async change(id, { url, enabled }) {
      const batch: Statement[] = []
      if (enabled === true) batch.push(outbox.statements.enable(id), statements.enable.with({ id }))
      else if (enabled === false) batch.push(...switchOff(id, 'switched off by hand'))
      else if (enabled !== undefined)
        throw new InvalidInputError('enabled', 'is no truth value', 'true or false')
      if (url !== undefined) batch.push(statements.setUrl.with({ id, url: readUrl(url, options) }))
      if (batch.length === 0) throw new InvalidInputError('body', 'changes nothing', 'url, enabled, or both')
      return changed(id, (await driver.batch(batch)).at(-1))
    },
    remove: async (id) => changed(id, await driver.execute(statements.remove.with({ id, now: now() }))),
    switchOff,
  }
}

function newId(): string {
  return `wh-${hex(crypto.getRandomValues(new Uint8Array(6)))}`
}

function readUrl(given: unknown, { allowPrivate }: DestinationOptions): string {
  const accepted = allowPrivate
    ? 'an http or https address'
    : 'an http or https address on the public internet'
  const text = plainText('url', given, 2_000)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw new InvalidInputError('url', 'is no http address', accepted)
  }
  if (url.username !== '' || url.password !== '') throw new InvalidInputError('url', 'holds a user', accepted)
  try {
    if (!allowPrivate) refusePrivateHost(url.hostname)
  } catch {
    throw new InvalidInputError('url', 'is a private or local address', accepted)
  }
  return url.href
}

function readSecret(given: unknown): string {
  if (typeof given === 'string' && isSecret(given)) return given
  throw new InvalidInputError(
    'secret',
    'is malformed',
    'whsec_ and 24 to 64 bytes in Base64, or none for a new one',
  )
}

function destination(row: DestinationRow): Destination {
  return {
    id: row.id,
    project: row.project,
    kind: 'webhook',
    url: row.url,
    enabled: row.enabled === 1,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
  }
}
