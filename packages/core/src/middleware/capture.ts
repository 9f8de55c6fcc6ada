import type { ExpressResponse } from './express.ts'
import { type KeptResponse, keptHeaders, toBase64 } from './options.ts'

/** A response that is held back. */
export interface Capture {
  /** Settles when the handler has ended the response. */
  readonly ended: Promise<KeptResponse>
  /** Sends what was held back, and lets everything further through. */
  send(): void
}

/**
 * Holds back what a handler writes, up to `longest` bytes; past that everything is sent as it comes,
 * and the response is not kept.
 */
export function capture(response: ExpressResponse, longest: number): Capture {
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  const chunks: Uint8Array[] = []
  let length = 0
  let through = false
  let over = false
  let told: (kept: KeptResponse) => void
  const ended = new Promise<KeptResponse>((resolve) => {
    told = resolve
  })

  const letThrough = () => {
    if (through) return
    through = true
    for (const chunk of chunks) write(chunk as never)
  }
  /** Whether the chunk was sent. */
  const take = (given: readonly unknown[]): void => {
    const [chunk, encoding] = given
    if (chunk == null || typeof chunk === 'function') return
    const bytes = toBytes(chunk, encoding)
    length += bytes.length
    if (length > longest) letThrough()
    if (through) write(bytes as never)
    else chunks.push(bytes)
  }

  response.write = (...given: readonly unknown[]) => {
    take(given)
    call(given)
    return true
  }
  response.end = (...given: readonly unknown[]) => {
    if (over) return response
    over = true
    take(given)
    const kept = length > longest ? null : toBase64(joined(chunks, length))
    if (through) end()
    told({ status: response.statusCode, headers: keptHeaders(headersOf(response)), body: kept })
    call(given)
    return response
  }
  return {
    ended,
    send() {
      const held = !through
      letThrough()
      response.write = write
      response.end = end
      if (held && over) end()
    },
  }
}

/** The callback that stands last, if there is one. */
function call(given: readonly unknown[]): void {
  const last = given.at(-1)
  if (typeof last === 'function') queueMicrotask(() => last())
}

function toBytes(chunk: unknown, encoding: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk
  if (encoding === 'base64')
    return Uint8Array.from(atob(String(chunk)), (character) => character.charCodeAt(0))
  return new TextEncoder().encode(String(chunk))
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

function* headersOf(response: ExpressResponse): Iterable<readonly [string, string]> {
  for (const [name, value] of Object.entries(response.getHeaders())) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) yield [name, String(one)]
    }
  }
}
