import { UnavailableError } from '@rowlock/core'
import { refusalOf } from './refusal.ts'

/** What a command works on. */
export interface Place {
  readonly kind: 'database' | 'hub'
  /** A file, or an address without its password. */
  readonly name: string
  /** Who said so: a flag, a variable, the settings file, or `default`. */
  readonly origin: string
}

export type Query = Readonly<Record<string, string | number | undefined>>

export interface Message {
  readonly query?: Query
  /** Text and bytes go out as they are, anything else as JSON. */
  readonly body?: unknown
  readonly type?: string
  readonly signal?: AbortSignal
}

/** The hub's HTTP interface: of a hub elsewhere, or of one inside this process that works on a database. */
export interface Api {
  readonly place: Place
  /** The answer as it came, whatever its status. @throws UnavailableError when there was none. */
  send(method: string, path: string, message?: Message): Promise<Response>
  /** The answer's JSON. @throws CommandError for a refusal, UnavailableError when there was no answer. */
  ask<Answer>(method: string, path: string, message?: Message): Promise<Answer>
  get<Answer>(path: string, query?: Query): Promise<Answer>
  post<Answer>(path: string, body?: unknown): Promise<Answer>
  patch<Answer>(path: string, body: unknown): Promise<Answer>
  remove<Answer>(path: string): Promise<Answer>
  close(): Promise<void>
}

export interface ApiOptions {
  readonly place: Place
  readonly base: string
  readonly secret: string | undefined
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

/** An answer to anything but events comes within this time, or not at all. */
const PATIENCE_MS = 30_000

export function createApi({ place, base, secret, fetch, close }: ApiOptions): Api {
  const send: Api['send'] = async (method, path, { query = {}, body, type, signal } = {}) => {
    const request = new Request(address(base, path, query), {
      method,
      headers: {
        ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
        ...(body === undefined ? {} : { 'content-type': type ?? 'application/json' }),
      },
      ...(body === undefined ? {} : { body: bodyOf(body) }),
      signal: signal ?? AbortSignal.timeout(PATIENCE_MS),
    })
    try {
      return await fetch(request)
    } catch (cause) {
      throw noAnswer(place, cause)
    }
  }
  const ask = async <Answer>(method: string, path: string, message: Message = {}): Promise<Answer> => {
    const response = await send(method, path, message)
    if (!response.ok) throw await refusalOf(response, place)
    return (await response.json()) as Answer
  }
  return {
    place,
    send,
    ask,
    get: (path, query = {}) => ask('GET', path, { query }),
    post: (path, body) => ask('POST', path, { body }),
    patch: (path, body) => ask('PATCH', path, { body }),
    remove: (path) => ask('DELETE', path),
    close,
  }
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

function address(base: string, path: string, query: Query): URL {
  const url = new URL(base + path)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** What a broken connection says in words. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host’s name could not be looked up',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
}
/** Then not a byte has been sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']

function noAnswer(place: Place, error: unknown): UnavailableError {
  const { name, cause } = error as Error
  const code = codeOf(cause) ?? codeOf(error) ?? ''
  const reason =
    name === 'TimeoutError'
      ? reasons.ETIMEDOUT
      : (reasons[code] ?? (cause instanceof Error ? cause : (error as Error)).message)
  const applied = NOT_SENT.includes(code) ? 'no' : 'unknown'
  return new UnavailableError(`the ${place.kind} ${place.name} could not be asked: ${reason}`, applied, error)
}

/** A host with several addresses fails with one error for each. */
function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, errors } = error as { code?: unknown; errors?: unknown }
  if (typeof code === 'string') return code
  return Array.isArray(errors) ? codeOf(errors[0]) : undefined
}
