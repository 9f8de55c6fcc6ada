import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'

/** Tells the parent where the server listens, and answers its question for the memory used at most. */
export function announce(url: string, headers: Readonly<Record<string, string>>): void {
  process.send?.({ url, headers })
  process.on('message', () => process.send?.({ mebibytes: mostMemory() / 1024 }))
}

/** KiB. Linux hands the parent's figure on to `maxRSS` of its children; VmHWM begins with the program. */
function mostMemory(): number {
  try {
    const [, kibibytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    return Number(kibibytes)
  } catch {
    return process.resourceUsage().maxRSS
  }
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
