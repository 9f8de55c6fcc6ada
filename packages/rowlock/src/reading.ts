import type { Driver, Value } from '@rowlock/core'
import {
  type Compilable,
  type DialectAdapter,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely'
import type { DeliveryTables } from './deliveries/rows.ts'
import type { EventTables } from './events/rows.ts'
import type { FleetTables } from './fleet/rows.ts'
import type { IdentityTables } from './identity/rows.ts'

/** Every table that the hub reads with filters. */
export type Tables = DeliveryTables & EventTables & FleetTables & IdentityTables

/**
 * The hub's lists: queries are put together and checked against the tables' types by Kysely, and run
 * through the port under a name like every other statement. For reading only; writes are statements.
 */
export interface Reader {
  readonly from: Kysely<Tables>
  rows<Row>(name: string, query: Compilable<Row>): Promise<Row[]>
  /** The first row, if there is one. */
  row<Row>(name: string, query: Compilable<Row>): Promise<Row | undefined>
}

const engines: Record<Driver['dialect']['name'], { adapter(): DialectAdapter; compiler(): QueryCompiler }> = {
  sqlite: { adapter: () => new SqliteAdapter(), compiler: () => new SqliteQueryCompiler() },
  postgres: { adapter: () => new PostgresAdapter(), compiler: () => new PostgresQueryCompiler() },
}

export function createReader(driver: Driver): Reader {
  const engine = engines[driver.dialect.name]
  const from = new Kysely<Tables>({
    dialect: {
      createAdapter: engine.adapter,
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new Error('this database is read through named queries only')
      },
      createQueryCompiler: engine.compiler,
    },
  })
  const rows = async <Row>(name: string, query: Compilable<Row>): Promise<Row[]> => {
    const { sql, parameters } = query.compile()
    return (await driver.execute({ name, text: sql, values: parameters as readonly Value[] })) as Row[]
  }
  return { from, rows, row: async (name, query) => (await rows(name, query))[0] }
}
