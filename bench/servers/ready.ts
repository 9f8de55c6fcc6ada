import type { AddressInfo } from 'node:net'

/** Tells the parent where the server listens, and answers its question for the memory used at most. */
export function announce(url: string, headers: Readonly<Record<string, string>>): void {
  process.send?.({ url, headers })
  process.on('message', () => process.send?.({ mebibytes: process.resourceUsage().maxRSS / 1024 }))
}

interface Listening {
  address(): AddressInfo | string | null
  on(event: 'listening', then: () => void): unknown
}

/** As `announce`, for a server that has just been told to listen. */
export function ready(server: Listening, headers: Readonly<Record<string, string>>): void {
  server.on('listening', () =>
    announce(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, headers),
  )
}
