import { GuardError, InvalidInputError, NotFoundError, type Statement } from '@rowlock/core'
import type { Outbox } from '@rowlock/core/outbox'
import type { Ground } from '../ground.ts'
import { hex } from '../identity/secrets.ts'
import { type Audience, audienceFields, readAudience } from './audience.ts'
import { audienceOf, type Destination, keptOf, shown } from './destination.ts'
import { kinds, readKind, refuseOtherFields } from './kinds/index.ts'
import type { KindName, Policy } from './kinds/kind.ts'
import { destinationById, destinationsOf } from './queries.ts'
import type { DestinationRow } from './rows.ts'
import { destinationStatements } from './statements/destinations.ts'

/** What was entered: the fields of the kind and of the audience. */
export type Given = Readonly<Record<string, unknown>>

export interface Destinations {
  /**
   * `secret` is there where it was made here or is needed by the receiver (webhooks), and is not told again.
   * @throws InvalidInputError naming the field, NotFoundError for no project.
   */
  add(project: number, given: Given): Promise<Destination & { secret?: string }>
  list(project: number | null): Promise<Destination[]>
  find(id: string): Promise<Destination | undefined>
  /** With its secret, for sending; removed ones too. */
  forSending(id: string): Promise<DestinationRow | undefined>
  /** Fields left out stay as they are. */
  change(id: string, changes: Given): Promise<Destination>
  /** What is on its way there ends as dead. */
  remove(id: string): Promise<Destination>
  /** Statements that switch it off, for the batch that writes the refusal down. */
  switchOff(id: string, reason: string): readonly Statement[]
}

export interface DestinationOptions extends Policy {
  /** Whether this hub can speak to mail servers. */
  readonly canMail: boolean
}

/** A change is written only onto what was read for it; else it is read and put together again, so many times. */
const ATTEMPTS = 5

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
  const alive = async (id: string): Promise<DestinationRow> => {
    const row = await destinationById(reader, id)
    if (row === undefined || row.removed_at !== null) throw new NotFoundError(`destination ${id}`)
    return row
  }

  const writeSettings = (id: string, before: Written, after: Written) =>
    statements.setSettings.with({
      id,
      ...columns(after),
      ...Object.fromEntries(Object.entries(columns(before)).map(([name, value]) => [`${name}Before`, value])),
    })

  const changes = (row: DestinationRow, { enabled, ...given }: Given): Statement[] => {
    const { id } = row
    const kind = row.kind as KindName
    const ofKind = Object.fromEntries(
      Object.entries(given).filter(([name]) => !audienceFields.includes(name)),
    )
    refuseOtherFields(kind, ofKind)
    const kept = keptOf(row)
    const changed = Object.keys(ofKind).length === 0 ? kept : kinds[kind].read(ofKind, options, kept)
    const audience = readAudience(given, audienceOf(row))
    const batch: Statement[] = [
      {
        ...statements.setAddress.with({
          id,
          url: changed.url,
          secret: changed.secret,
          urlBefore: kept.url,
          secretBefore: kept.secret,
        }),
        expect: 1,
      },
      {
        ...writeSettings(
          id,
          { ...audienceOf(row), settings: kept.settings },
          { ...audience, settings: changed.settings },
        ),
        expect: 1,
      },
    ]
    if (enabled === true) batch.push(outbox.statements.enable(id), statements.enable.with({ id }))
    else if (enabled === false) batch.push(...switchOff(id, 'switched off by hand'))
    else if (enabled !== undefined)
      throw new InvalidInputError('enabled', 'is no truth value', 'true or false')
    return batch
  }

  return {
    async add(project, { kind: name, ...given }) {
      const kind = readKind(name)
      refuseNoMail(kind, options)
      const audience = readAudience(given)
      const ofKind = Object.fromEntries(
        Object.entries(given).filter(([field]) => !audienceFields.includes(field)),
      )
      refuseOtherFields(kind, ofKind)
      const { url, secret, settings } = kinds[kind].read(ofKind, options)
      const id = newId(kinds[kind].prefix)
      const [added] = await driver.batch([
        statements.add.with({ id, project, kind, url, secret, now: now() }),
        writeSettings(id, fresh, { ...audience, settings }),
      ])
      if (added?.[0] === undefined) throw new NotFoundError(`project ${project}`)
      return { ...shown(await alive(id)), ...(kinds[kind].tellsSecret ? { secret } : {}) }
    },
    list: async (project) => (await destinationsOf(reader, project)).map(shown),
    async find(id) {
      const row = await destinationById(reader, id)
      return row === undefined || row.removed_at !== null ? undefined : shown(row)
    },
    forSending: async (id) => await destinationById(reader, id),
    async change(id, given) {
      const wanted = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
      if (Object.keys(wanted).length === 0) {
        throw new InvalidInputError('body', 'changes nothing', 'fields of the destination')
      }
      for (let attempt = 1; ; attempt++) {
        const batch = changes(await alive(id), wanted)
        try {
          await driver.batch(batch)
          return shown(await alive(id))
        } catch (error) {
          if (!(error instanceof GuardError) || attempt === ATTEMPTS) throw error
        }
      }
    },
    async remove(id) {
      const before = shown(await alive(id))
      const removed = await driver.execute(statements.remove.with({ id, now: now() }))
      if (removed.length === 0) throw new NotFoundError(`destination ${id}`)
      return { ...before, enabled: false }
    },
    switchOff,
  }
}

type Written = Audience & { readonly settings: Readonly<Record<string, unknown>> }

const fresh: Written = { name: null, only: null, tags: [], settings: {} }

function columns({ name, only, tags, settings }: Written) {
  return { name, about: only, tags: JSON.stringify(tags), settings: JSON.stringify(settings) }
}

function newId(prefix: string): string {
  return `${prefix}-${hex(crypto.getRandomValues(new Uint8Array(6)))}`
}

function refuseNoMail(kind: KindName, { canMail }: DestinationOptions): void {
  if (kind !== 'mail' || canMail) return
  throw new InvalidInputError(
    'kind',
    'is mail, and this hub cannot speak to mail servers: that takes one on Node, not on Workers',
    'webhook, slack, discord, pagerduty',
  )
}
