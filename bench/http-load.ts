import { connect } from 'node:net'
import { performance } from 'node:perf_hooks'

export interface Load {
  readonly url: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The nth request's body. */
  body(n: number): string
  readonly requests: number
  readonly connections: number
}

export interface LoadResult {
  readonly perSecond: number
  /** Milliseconds from writing a request to the end of its answer, sorted. */
  readonly latenciesMs: readonly number[]
}

/**
 * Sends requests over keep-alive connections, one at a time on each, over plain sockets: the client
 * shares the machine with the server, so it must cost little. Throws on any answer that is no 200.
 */
export async function load(options: Load): Promise<LoadResult> {
  const latenciesMs: number[] = []
  let next = 0
  const start = performance.now()
  await Promise.all(Array.from({ length: options.connections }, () => connection()))
  const seconds = (performance.now() - start) / 1000
  return {
    perSecond: options.requests / seconds,
    latenciesMs: latenciesMs.sort((left, right) => left - right),
  }

  function connection(): Promise<void> {
    const { hostname, port, host } = new URL(options.url)
    const head = `POST ${options.path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${Object.entries(
      options.headers,
    )
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}`
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let received = ''
      let sentAt = 0
      const send = () => {
        if (next >= options.requests) {
          socket.end()
          resolve()
          return
        }
        const body = options.body(next)
        next += 1
        received = ''
        sentAt = performance.now()
        socket.write(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
      }
      socket.setEncoding('utf8')
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        received += chunk
        if (!isWhole(received)) return
        latenciesMs.push(performance.now() - sentAt)
        if (!received.startsWith('HTTP/1.1 20')) reject(new Error(`refused: ${received.slice(0, 300)}`))
        else send()
      })
    })
  }
}

/** Whether an answer with a length, or in chunks, has come to its end. ASCII bodies only. */
function isWhole(received: string): boolean {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end)) ?? []
  return length === undefined
    ? received.endsWith('\r\n0\r\n\r\n')
    : received.length >= end + 4 + Number(length)
}
