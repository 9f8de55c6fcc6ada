import { type AcquireOutcome, type Claims, excluded, increment } from '../../../claims/index.ts'
import type { Driver, Row } from '../../../port/driver.ts'
import { join, raw, sql } from '../../../port/sql.ts'
import { claimsOn, createEvents, query } from './given.ts'

/** Every way to claim: where the claim lives, and by which statement. All must come to the same. */
export interface Way {
  readonly name: string
  readonly table: string
  readonly key: string
  /** The table keeps its windows; otherwise only the time of the last win. */
  readonly timed: boolean
  /** Makes the table where it is not Rowlock's own. */
  prepare(driver: Driver): Promise<void>
  claims(driver: Driver): Claims
  /** Claims one key; 'won' or why not. */
  claim(driver: Driver, key: string, options: { holder: string; ttl?: number; now?: number }): Promise<string>
}

const EVENTS = {
  table: 'event_claims',
  key: 'fingerprint',
  insert: ['last_seen'],
  onWin: { last_seen: excluded(), count: increment() },
}

const bare = { columns: { expiresAt: null, token: null, holder: null } }

const places = [
  { where: "Rowlock's own table", table: 'rowlock_claims', key: 'key', timed: true, options: {} },
  { where: 'a table of one’s own', table: 'event_claims', key: 'fingerprint', timed: true, options: EVENTS },
  {
    where: 'a table with only claimed_at',
    table: 'event_claims',
    key: 'fingerprint',
    timed: false,
    options: { ...EVENTS, ...bare },
  },
] as const

const word = (outcome: AcquireOutcome) => (outcome.won ? 'won' : outcome.reason)

export const ways: readonly Way[] = places.flatMap(({ where, table, key, timed, options }) => {
  const own = table === 'rowlock_claims'
  const values = own ? undefined : { last_seen: 7 }
  const claims = (driver: Driver) => claimsOn(driver, options)
  const common = { table, key, timed, claims, prepare: (driver: Driver) => prepare(driver, own, timed) }
  return [
    {
      ...common,
      name: `${where}, acquire`,
      claim: async (driver, one, given) => word(await claims(driver).acquire(one, { ...given, values })),
    },
    {
      ...common,
      name: `${where}, acquireMany`,
      claim: async (driver, one, given) =>
        word((await claims(driver).acquireMany([{ key: one, values }], given))[0]!),
    },
    ...(timed
      ? [
          {
            ...common,
            name: `${where}, claimExisting`,
            async claim(driver, one, given) {
              const statement = claims(driver).statements.claimExisting({ keys: [one], ...given })
              return (await driver.execute(statement)).length === 1 ? 'won' : 'held'
            },
          } satisfies Way,
        ]
      : []),
  ] satisfies Way[]
})

async function prepare(driver: Driver, own: boolean, timed: boolean): Promise<void> {
  if (own) return
  const { integer } = driver.dialect
  const lease = timed ? sql`, expires_at ${integer}, token ${integer}, holder text` : sql``
  await createEvents(driver, sql`, claimed_at ${integer}${lease}`)
}

/** Puts a row there as it may have been left. */
export function put(
  driver: Driver,
  way: Way,
  key: string,
  times: Partial<Record<string, number | string>>,
): Promise<Row[]> {
  const columns = Object.keys(times).filter((name) => way.timed || name === 'claimed_at')
  const names = raw([way.key, ...columns].join(', '))
  const values = columns.map((name) =>
    typeof times[name] === 'string' ? `'${times[name]}'` : String(times[name]),
  )
  const given = join([sql`${key}`, ...values.map(raw)])
  return query(driver, sql`insert into ${raw(way.table)} (${names}) values (${given})`)
}

/** The row's columns, one by one. */
export async function read(
  driver: Driver,
  way: Way,
  key: string,
  columns: readonly string[],
): Promise<unknown[]> {
  const names = raw(columns.join(', '))
  const [row] = await query(
    driver,
    sql`select ${names} from ${raw(way.table)} where ${raw(way.key)} = ${key}`,
  )
  return columns.map((name) => row?.[name])
}
