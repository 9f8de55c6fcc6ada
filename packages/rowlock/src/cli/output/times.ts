const UNITS: readonly (readonly [ms: number, name: string])[] = [
  [31_557_600_000, 'y'],
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
]

/** A length of time in its largest unit, such as `5m`; below a second `0s`. */
export function roughly(ms: number): string {
  const [unit, name] = UNITS.find(([size]) => ms >= size) ?? [1000, 's']
  return `${Math.floor(ms / unit)}${name}`
}

/** How far an instant lies from now: `5m ago`, `in 2h`, `now`. */
export function relative(at: number | string, now: number): string {
  const distance = (typeof at === 'string' ? Date.parse(at) : at) - now
  if (Number.isNaN(distance)) return String(at)
  if (Math.abs(distance) < 1000) return 'now'
  return distance < 0 ? `${roughly(-distance)} ago` : `in ${roughly(distance)}`
}

/** A measured length of time: `380 ms`, `4.2 s`, `3 m 10 s`. */
export function elapsed(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.floor(ms / 60_000)} m ${Math.round((ms % 60_000) / 1000)} s`
}

const grouping = new Intl.NumberFormat('en')

/** A number with its thousands apart: `12,345`. */
export function figure(value: number): string {
  return grouping.format(value)
}

/** A number of bytes: `64 KB`, `1.5 GB`. */
export function bytes(value: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let size = value
  let unit = 0
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${unit > 0 && size < 10 ? size.toFixed(1) : Math.round(size)} ${units[unit]}`
}
