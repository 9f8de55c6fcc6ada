/** Inside, instants are whole ms; over HTTP they are ISO 8601 in UTC. Their names end in At or Until. */

const INSTANT = /(At|Until)$/

/** A copy with its instants written out. */
export function withIsoInstants(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withIsoInstants)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      typeof part === 'number' && INSTANT.test(name) ? new Date(part).toISOString() : withIsoInstants(part),
    ]),
  )
}
