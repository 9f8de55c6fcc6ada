import { test } from 'node:test'
import { conformance, memory, memorySequential } from '@rowlock/core/testing'
import { betterSqlite, fileEngine, nodeSqlite } from './sqlite-engines.ts'

conformance(memory(), { test })
conformance(memorySequential(), { test })
conformance({ ...memory(() => betterSqlite(':memory:')), name: 'better-sqlite3, memory' }, { test })
conformance(fileEngine('node:sqlite', nodeSqlite), { test })
conformance(fileEngine('better-sqlite3', betterSqlite), { test })
