/** What a client tells with one request to its ping address, in the words that Healthchecks users know. */
export type SignalKind = 'success' | 'start' | 'fail' | 'log'

export interface Signal {
  /** Which device: by its own secret address, or by its project's ping key and its slug. */
  readonly target: { readonly uuid: string } | { readonly key: string; readonly slug: string }
  readonly kind: SignalKind
  /** 0 to 255 where the address ends in one; 0 is a success, all others are failures. */
  readonly exitStatus: number | null
  /** Ties an end to its start. */
  readonly rid: string | null
  /** Makes the device where the slug is not known. */
  readonly create: boolean
}

/** A request that is answered without a look at the database. */
export interface Malformed {
  readonly status: 400 | 404
  readonly text: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const KEY = /^[A-Za-z0-9_-]{22}$/
const SLUG = /^[a-z0-9_-]{1,100}$/
const ACTIONS: Readonly<Record<string, SignalKind>> = { start: 'start', fail: 'fail', log: 'log' }

const NOT_FOUND: Malformed = { status: 404, text: 'not found' }

/**
 * Reads a ping address: `/ping/<uuid>` or `/ping/<key>/<slug>`, then nothing, `/start`, `/fail`, `/log` or an exit
 * status; a slash at the end is no difference.
 * @param path the path of the request, as it was sent.
 */
export function readSignal(path: string, query: Readonly<Record<string, string>>): Signal | Malformed {
  const [, ping, ...rest] = path.replace(/\/$/, '').split('/')
  if (ping !== 'ping') return NOT_FOUND
  const target = readTarget(rest)
  if (target === undefined) return NOT_FOUND
  const [action, ...more] = rest.slice('uuid' in target ? 1 : 2)
  if (more.length > 0) return NOT_FOUND
  const outcome = readAction(action)
  if ('status' in outcome) return outcome
  const { rid } = query
  if (rid !== undefined && !UUID.test(rid)) return { status: 400, text: 'invalid uuid format' }
  return { target, ...outcome, rid: rid?.toLowerCase() ?? null, create: query.create === '1' }
}

function readTarget([first = '', second = '']: readonly string[]): Signal['target'] | undefined {
  if (UUID.test(first)) return { uuid: first.toLowerCase() }
  return KEY.test(first) && SLUG.test(second) ? { key: first, slug: second } : undefined
}

function readAction(action: string | undefined): Pick<Signal, 'kind' | 'exitStatus'> | Malformed {
  if (action === undefined) return { kind: 'success', exitStatus: null }
  if (Object.hasOwn(ACTIONS, action)) return { kind: ACTIONS[action] as SignalKind, exitStatus: null }
  if (!/^\d+$/.test(action)) return NOT_FOUND
  const exitStatus = Number(action)
  if (exitStatus > 255) return { status: 400, text: 'invalid url format' }
  return { kind: exitStatus === 0 ? 'success' : 'fail', exitStatus }
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

export function isSlug(text: string): boolean {
  return SLUG.test(text)
}

/** The slug that a name gives: small letters, digits, hyphens and underscores; null where nothing is left. */
export function slugOf(name: string): string | null {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 100)
  return slug === '' ? null : slug
}
