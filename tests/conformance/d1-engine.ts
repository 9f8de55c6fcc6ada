import { type D1Database, d1 } from '@rowlock/core/d1'
import type { Engine } from '@rowlock/core/testing'

/** D1 as a Worker sees it; runs inside the Worker. */
export function d1Engine(binding: D1Database): Engine {
  return {
    name: 'D1 inside workerd',
    lacks: { crash: 'a binding cannot be cut off from inside the Worker' },
    async open() {
      await empty(binding)
      return {
        driver: d1(binding),
        peer: async () => d1(binding),
        dispose: async () => {},
      }
    },
  }
}

/** A binding has one database: what the last case left there goes, newest first. */
async function empty(binding: D1Database): Promise<void> {
  const driver = d1(binding)
  const listed = await driver.execute({
    name: 'test.list',
    text: `select type, name from sqlite_schema where name not glob 'sqlite_*' and name not glob '_cf_*'
      and type in ('table', 'view') order by rowid desc`,
    values: [],
  })
  for (const { type, name } of listed) {
    await driver.execute({ name: 'test.drop', text: `drop ${String(type)} "${String(name)}"`, values: [] })
  }
}
