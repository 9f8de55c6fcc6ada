/** Which addresses a delivery may go to: the public internet only, unless the hub is told otherwise. */

/** Whether a literal IPv4 or IPv6 address is private, local, link-local, reserved or otherwise not public. */
export function isPrivateAddress(address: string): boolean {
  const v4 = parseV4(address)
  if (v4 !== undefined) return isPrivateV4(v4)
  const v6 = parseV6(address)
  return v6 === undefined || isPrivateV6(v6)
}

/** Whether a host, as it stands in a URL, is an address rather than a name. */
export function isAddress(host: string): boolean {
  return parseV4(host) !== undefined || parseV6(host) !== undefined
}

/** Names that mean this machine or this network, whatever a resolver says. */
export function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  return (
    name === 'localhost' ||
    /\.(localhost|local|internal|intranet|lan|home\.arpa)$/.test(name) ||
    !name.includes('.')
  )
}

type Range = readonly [network: number, bits: number]

const v4 = (a: number, b: number, c: number, d: number) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0

const privateV4: readonly Range[] = [
  [v4(0, 0, 0, 0), 8], // this network
  [v4(10, 0, 0, 0), 8],
  [v4(100, 64, 0, 0), 10], // carrier's shared space
  [v4(127, 0, 0, 0), 8],
  [v4(169, 254, 0, 0), 16], // link-local, cloud metadata
  [v4(172, 16, 0, 0), 12],
  [v4(192, 0, 0, 0), 24], // protocol assignments
  [v4(192, 0, 2, 0), 24], // documentation
  [v4(192, 88, 99, 0), 24], // 6to4 relays
  [v4(192, 168, 0, 0), 16],
  [v4(198, 18, 0, 0), 15], // benchmarks
  [v4(198, 51, 100, 0), 24], // documentation
  [v4(203, 0, 113, 0), 24], // documentation
  [v4(224, 0, 0, 0), 3], // multicast, reserved, broadcast
]

function isPrivateV4(address: number): boolean {
  return privateV4.some(([network, bits]) => address >>> (32 - bits) === network >>> (32 - bits))
}

/** Public is 2000::/3 without its special parts; IPv4 inside IPv6 is judged as IPv4. */
function isPrivateV6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups
  const low = ((groups[6]! << 16) | groups[7]!) >>> 0
  const leadingZeros = groups.slice(0, 5).every((group) => group === 0)
  if (leadingZeros && groups[5] === 0xffff) return isPrivateV4(low)
  if (first === 0x64 && second === 0xff9b)
    return groups.slice(2, 6).some((group) => group !== 0) || isPrivateV4(low)
  if (first === 0x2002) return isPrivateV4(((second << 16) | groups[2]!) >>> 0)
  if ((first & 0xe000) !== 0x2000) return true
  // Teredo, ORCHID, benchmarks and the like in 2001::/23, documentation in 2001:db8::/32 and 3fff::/20
  if (first === 0x2001) return second < 0x200 || second === 0xdb8
  return first === 0x3fff && second < 0x1000
}

function parseV4(text: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1).map(Number)
  if (parts === undefined || parts.some((part) => part > 255)) return undefined
  return v4(parts[0]!, parts[1]!, parts[2]!, parts[3]!)
}

/** The eight groups of an IPv6 address; brackets and a zone are taken off. */
function parseV6(text: string): readonly number[] | undefined {
  let bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  if (!bare.includes(':')) return undefined
  const tail = /(?<=:)\d+\.\d+\.\d+\.\d+$/.exec(bare)?.[0]
  if (tail !== undefined) {
    const address = parseV4(tail)
    if (address === undefined) return undefined
    bare = `${bare.slice(0, -tail.length)}${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`
  }
  const halves = bare.split('::')
  if (halves.length > 2) return undefined
  const [head = [], rest = []] = halves.map((half) => (half === '' ? [] : half.split(':')))
  const missing = 8 - head.length - rest.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array<string>(halves.length === 1 ? 0 : missing).fill('0'), ...rest]
  return groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : undefined
}
