import type { Rule } from './rule.ts'
import { imports } from './tree.ts'

const CORE = 'packages/core/src/'
const MODULES = 'claims|liveness|documents|outbox'

/** Who may import whom inside the library: the first entry whose pattern fits the importer counts. */
const LAYERS: readonly { from: RegExp; may: RegExp }[] = [
  { from: /^errors\.ts$/, may: /^$/ },
  { from: /^port\//, may: /^(errors\.ts|port\/)/ },
  { from: /^drivers\//, may: /^(errors\.ts|port\/|drivers\/)/ },
  { from: /^install\//, may: new RegExp(`^(errors\\.ts|port/|install/|(${MODULES})/schema\\.ts)`) },
  { from: /^middleware\//, may: new RegExp(`^(errors\\.ts|middleware/|(${MODULES})/index\\.ts)`) },
  { from: /^testing\//, may: /./ },
  { from: /^index\.ts$/, may: new RegExp(`^(errors\\.ts|port/|install/|(${MODULES})/index\\.ts)`) },
  { from: /^module\.ts$/, may: /^(errors\.ts|port\/|install\/)/ },
]

function allowed(from: string): RegExp {
  const module = new RegExp(`^(${MODULES})/`).exec(from)?.[1]
  if (module !== undefined)
    return new RegExp(`^(errors\\.ts|port/|${module}/|outbox/(statements/|schema\\.ts)|install/)`)
  return LAYERS.find((layer) => layer.from.test(from))?.may ?? /^$/
}

export const layers: Rule = {
  name: 'who imports whom in the library',
  reason: 'a module can be read, tested and shipped alone only when nothing reaches round the port',
  files: /^packages\/core\/src\/.*\.ts$/,
  *check({ path, text }) {
    for (const found of imports(path, text)) {
      if (found.path === undefined) continue
      if (!found.path.startsWith(CORE)) yield `imports ${found.specifier}, outside the library`
      else if (!allowed(path.slice(CORE.length)).test(found.path.slice(CORE.length)))
        yield `imports ${found.specifier}`
    }
  },
  bad: [
    { 'packages/core/src/port/sql.ts': `import { a } from '../claims/types.ts'` },
    { 'packages/core/src/claims/verbs/acquire.ts': `export { a } from '../../documents/index.ts'` },
    { 'packages/core/src/claims/index.ts': `import type { Outbox } from '../outbox/index.ts'` },
    { 'packages/core/src/drivers/d1.ts': `const a = await import('../claims/index.ts')` },
    { 'packages/core/src/middleware/fetch.ts': `import { a } from '../claims/verbs/acquire.ts'` },
    { 'packages/core/src/index.ts': `export * from './testing/index.ts'` },
    { 'packages/core/src/elsewhere/a.ts': `import { a } from '../errors.ts'` },
    { 'packages/core/src/errors.ts': `import { a } from '../../rowlock/src/a.ts'` },
  ],
  good: [
    { 'packages/core/src/claims/verbs/acquire.ts': `import { a } from '../../outbox/statements/enqueue.ts'` },
    { 'packages/core/src/testing/model.ts': `import { a } from '../claims/verbs/acquire.ts'` },
    { 'packages/core/src/drivers/d1.ts': `import { a } from '../port/driver.ts'` },
  ],
}

export const dependencies: Rule = {
  name: 'the library depends on nothing',
  reason: 'it runs on Node, Workers and elsewhere; clients are typed by the few methods that are called',
  files: /^packages\/core\/(src\/.*\.ts|package\.json)$/,
  *check({ path, text }) {
    if (path.endsWith('package.json')) {
      for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
        if (kind in JSON.parse(text)) yield `has ${kind}`
      return
    }
    for (const { specifier, typeOnly, path: file } of imports(path, text)) {
      if (file !== undefined || path.startsWith(`${CORE}testing/`)) continue
      if (!(typeOnly && path === `${CORE}drivers/sqlite.ts` && specifier === 'node:sqlite'))
        yield `imports ${specifier}`
    }
  },
  bad: [
    { 'packages/core/src/port/sql.ts': `import { randomUUID } from 'node:crypto'` },
    { 'packages/core/src/drivers/postgres.ts': `import type { Pool } from 'pg'` },
    { 'packages/core/src/drivers/sqlite.ts': `import { DatabaseSync } from 'node:sqlite'` },
    { 'packages/core/package.json': `{ "dependencies": {} }` },
  ],
  good: [
    { 'packages/core/src/drivers/sqlite.ts': `import type { DatabaseSync } from 'node:sqlite'` },
    { 'packages/core/src/testing/crash.ts': `import { DatabaseSync } from 'node:sqlite'` },
  ],
}

export const publicEntry: Rule = {
  name: 'the hub uses what any user could use',
  reason: 'what the hub needs from the library must be public, and what it installs must be declared',
  files: /^packages\/rowlock\/src\/.*\.ts$/,
  *check({ path, text }, tree) {
    const core = JSON.parse(tree.get('packages/core/package.json') ?? '{}') as { exports?: object }
    const own = JSON.parse(tree.get('packages/rowlock/package.json') ?? '{}') as { dependencies?: object }
    const entries = Object.keys(core.exports ?? {}).map((entry) => entry.replace('.', '@rowlock/core'))
    for (const { specifier, path: file } of imports(path, text)) {
      const declared = Object.keys(own.dependencies ?? {}).some(
        (name) => specifier === name || specifier.startsWith(`${name}/`),
      )
      if (file !== undefined) {
        if (!file.startsWith('packages/rowlock/')) yield `imports ${specifier}, outside the package`
      } else if (!specifier.startsWith('node:') && !entries.includes(specifier) && !declared)
        yield `imports ${specifier}, which is neither declared nor an entry of the library`
    }
  },
  bad: [
    { 'packages/rowlock/src/a.ts': `import { sql } from '../../core/src/port/sql.ts'` },
    { 'packages/rowlock/src/a.ts': `import { sql } from '@rowlock/core/port/sql.ts'` },
    { 'packages/rowlock/src/a.ts': `import left from 'left-pad'` },
  ],
  good: [
    {
      'packages/core/package.json': `{ "exports": { ".": {}, "./claims": {} } }`,
      'packages/rowlock/package.json': `{ "dependencies": { "hono": "1" } }`,
      'packages/rowlock/src/a.ts': `import a from '@rowlock/core/claims'; import b from 'hono/jwt'; import 'node:fs'`,
    },
  ],
}

export const anyRuntime: Rule = {
  name: 'the Worker reaches nothing of Node',
  reason: 'the same app runs on Cloudflare Workers; what is for Node only stands beside it',
  files: /^packages\/rowlock\/src\/worker\.ts$/,
  *check({ path }, tree) {
    const from = new Map([[path, path]])
    for (const [file, way] of from) {
      for (const found of imports(file, tree.get(file) ?? '')) {
        if (found.typeOnly) continue
        if (found.specifier.startsWith('node:')) yield `${way} -> ${found.specifier}`
        const known = found.path === undefined || from.has(found.path)
        if (!known && found.path !== undefined) from.set(found.path, `${way} -> ${found.path}`)
      }
    }
  },
  bad: [
    { 'packages/rowlock/src/worker.ts': `import 'node:fs'` },
    {
      'packages/rowlock/src/worker.ts': `import { app } from './http/app.ts'`,
      'packages/rowlock/src/http/app.ts': `import { readFile } from 'node:fs/promises'`,
    },
  ],
  good: [
    {
      'packages/rowlock/src/worker.ts': `import type { app } from './http/app.ts'`,
      'packages/rowlock/src/http/app.ts': `import { readFile } from 'node:fs/promises'`,
    },
  ],
}
