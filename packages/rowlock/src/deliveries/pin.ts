import { lookup } from 'node:dns/promises'
import { isAddress, isPrivateAddress } from './address.ts'
import { PrivateDestinationError, refusePrivateHost } from './send.ts'

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name. */
export type LookUp = (host: string) => Promise<readonly ResolvedAddress[]>

/** The system's resolver. */
export const lookUpAll: LookUp = (host) => lookup(host, { all: true, verbatim: true })

/** The address to connect to, after all of the host's addresses have been checked. */
export async function pin(hostname: string, lookUp: LookUp, allowPrivate: boolean): Promise<ResolvedAddress> {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (!allowPrivate) refusePrivateHost(host)
  if (isAddress(host)) return { address: host, family: host.includes(':') ? 6 : 4 }
  const addresses = await lookUp(host)
  const bad = allowPrivate ? undefined : addresses.find(({ address }) => isPrivateAddress(address))
  if (bad !== undefined) throw new PrivateDestinationError(`${host} (${bad.address})`)
  if (addresses[0] === undefined) throw new Error(`${host} has no address`)
  return addresses[0]
}

/** Waits for work that cannot be called off, for as long as the signal allows. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return await Promise.race([
    work,
    new Promise<never>((_, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason), { once: true })
    }),
  ])
}
