import { test } from 'node:test'
import { grouped } from '@rowlock/core'
import { conformance, type Engine, memory, memorySequential } from '@rowlock/core/testing'
import { betterSqlite, fileEngine, nodeSqlite } from './sqlite-engines.ts'

conformance(memory(), { test })
conformance(memorySequential(), { test })
conformance({ ...memory(() => betterSqlite(':memory:')), name: 'better-sqlite3, memory' }, { test })
conformance(fileEngine('node:sqlite', nodeSqlite), { test })
conformance(fileEngine('better-sqlite3', betterSqlite), { test })
conformance(inGroups(fileEngine('node:sqlite', nodeSqlite)), { test })

/** The same engine with calls that arrive together sharing a transaction. */
function inGroups(engine: Engine): Engine {
  return {
    ...engine,
    name: `${engine.name}, grouped`,
    async open() {
      const opened = await engine.open()
      return { ...opened, driver: grouped(opened.driver) }
    },
  }
}
