import type { Rule } from './rule.ts'

const LARGEST_BYTES = 8192
const MODULE = /^(packages\/core\/src\/(?!port\/|drivers\/|install\/|middleware\/|testing\/)[^/]+)\//
const PARTS = ['README.md', 'types.ts', 'schema.ts', 'model.ts', 'index.ts', 'statements/', 'verbs/']
const whole = Object.fromEntries(PARTS.map((part) => [`packages/core/src/claims/${part}`, '']))

export const fileSize: Rule = {
  name: 'small files',
  reason: `a file that passes ${LARGEST_BYTES} bytes does more than one thing`,
  files: /(?<!\.test)\.(ts|mjs|js)$/,
  *check({ text }) {
    const bytes = Buffer.byteLength(text)
    if (bytes > LARGEST_BYTES) yield `${bytes} bytes, more than ${LARGEST_BYTES}`
  },
  bad: [{ 'packages/core/src/a.ts': 'é'.repeat(4097) }],
  good: [{ 'packages/core/src/a.ts': 'e'.repeat(8192) }],
}

export const moduleShape: Rule = {
  name: 'each module has the same shape',
  reason: 'who knows one module knows where to look in every other',
  files: MODULE,
  *check({ path }, tree) {
    const folder = MODULE.exec(path)?.[1] ?? ''
    const own = [...tree.keys()].filter((other) => other.startsWith(`${folder}/`))
    if (own[0] !== path) return // said once for each module
    for (const part of PARTS) {
      const there = own.some(
        (other) =>
          other === `${folder}/${part}` || (part.endsWith('/') && other.startsWith(`${folder}/${part}`)),
      )
      if (!there) yield `${folder} has no ${part}`
    }
  },
  bad: PARTS.map((part) =>
    Object.fromEntries(Object.entries(whole).filter(([path]) => !path.endsWith(`/${part}`))),
  ),
  good: [whole, { 'packages/core/src/port/sql.ts': '' }, { 'packages/core/src/index.ts': '' }],
}

export const noDrawers: Rule = {
  name: 'no drawers',
  reason: 'a file named for what it holds can be found; a drawer takes anything',
  files: /./,
  *check({ path }) {
    const found = /(^|\/)(utils?|helpers?|common|misc|lib|shared)(\/|\.[a-z]+$)/.exec(path)
    if (found !== null) yield `is called ${found[2]}`
  },
  bad: [{ 'packages/core/src/utils/a.ts': '' }, { 'packages/rowlock/src/helper.ts': '' }],
  good: [{ 'packages/core/src/commonplace.ts': '' }],
}

export const entries: Rule = {
  name: 'exports and build agree',
  reason: 'an entry that is exported and not built is found by the first user',
  files: /^packages\/core\/package\.json$/,
  *check({ text }, tree) {
    const { exports } = JSON.parse(text) as { exports: Record<string, Record<string, string>> }
    const build = tree.get('packages/core/tsdown.config.ts') ?? ''
    for (const [entry, { 'rowlock-source': source = '', types, default: built }] of Object.entries(exports)) {
      const name = entry === '.' ? 'index' : entry.slice(2)
      if (!tree.has(`packages/core/${source.slice(2)}`)) yield `${entry}: there is no ${source}`
      if (!build.includes(`${name}: '${source.slice(2)}'`)) yield `${entry}: not in the build's entries`
      if (types !== `./dist/${name}.d.ts` || built !== `./dist/${name}.js`)
        yield `${entry}: not what is built`
    }
  },
  bad: [
    {
      'packages/core/package.json': `{ "exports": { ".": { "rowlock-source": "./src/index.ts",
        "types": "./dist/index.d.ts", "default": "./dist/index.js" } } }`,
      'packages/core/tsdown.config.ts': `index: 'src/index.ts'`,
    },
    {
      'packages/core/package.json': `{ "exports": { ".": { "rowlock-source": "./src/index.ts",
        "types": "./dist/index.d.ts", "default": "./dist/main.js" } } }`,
      'packages/core/tsdown.config.ts': `index: 'src/index.ts'`,
      'packages/core/src/index.ts': '',
    },
  ],
  good: [
    {
      'packages/core/package.json': `{ "exports": { ".": { "rowlock-source": "./src/index.ts",
        "types": "./dist/index.d.ts", "default": "./dist/index.js" } } }`,
      'packages/core/tsdown.config.ts': `index: 'src/index.ts'`,
      'packages/core/src/index.ts': '',
    },
  ],
}
