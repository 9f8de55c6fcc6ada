import ts from 'typescript'
import type { Rule } from './rule.ts'
import { imports, nodes, parse } from './tree.ts'

// Put together from pieces, so that this file does not find itself.
const UNFINISHED = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')})\\b`)
const MACHINE = new RegExp(`(^|[^A-Za-z0-9_.])/(${['work', 'farm', 'root'].join('|')})/`, 'm')
const REGISTRY = new RegExp(
  ['registry\\.npm', 'js\\.org|deb\\.', 'debian\\.org|registry\\.yarn', 'pkg\\.com'].join(''),
)
const SILENCED = new RegExp(`@ts-${'ig'}nore|@ts-${'no'}check|biome-${'ig'}nore-all`)

export const noAny: Rule = {
  name: 'no any',
  reason: 'a value whose type is not known is unknown, and has to be looked at',
  files: /^(packages|tests|examples|bench)\/.*\.ts$/,
  *check({ path, text }) {
    for (const node of nodes(parse(path, text)))
      if (node.kind === ts.SyntaxKind.AnyKeyword) yield `any in ${node.parent.getText().slice(0, 60)}`
    if (SILENCED.test(text)) yield 'switches checks off'
  },
  bad: [
    { 'packages/core/src/a.ts': 'export const a: any = 1' },
    { 'tests/a.ts': 'run(a as any[])' },
    { 'tests/a.ts': `// @ts-${'ig'}nore\nrun(a)` },
  ],
  good: [{ 'packages/core/src/a.ts': '// any\nexport const any: unknown = "any"' }],
}

export const namedExports: Rule = {
  name: 'no default exports',
  reason: 'a thing has one name wherever it is used',
  files: /^packages\/[^/]+\/src\/.*\.ts$/,
  except: { 'packages/rowlock/src/worker.ts': "the form of a Worker's entry" },
  *check({ path, text }) {
    for (const statement of parse(path, text).statements) {
      const isDefault =
        ts.isExportAssignment(statement) ||
        (ts.canHaveModifiers(statement) &&
          ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword))
      if (isDefault) yield 'has a default export'
    }
  },
  bad: [
    { 'packages/core/src/a.ts': 'export default 1' },
    { 'packages/core/src/a.ts': 'export default function a() {}' },
  ],
  good: [{ 'packages/core/src/a.ts': 'export const a = { default: 1 }' }],
}

export const fileEndings: Rule = {
  name: 'relative imports name the file',
  reason: 'the sources run as they are, without a build',
  files: /^(packages|tests|examples|bench)\/.*\.ts$/,
  *check({ path, text }, tree) {
    for (const found of imports(path, text)) {
      if (found.path !== undefined && !/\.(ts|mjs|json)$/.test(found.specifier))
        yield `imports ${found.specifier}`
      else if (found.path !== undefined && !tree.has(found.path))
        yield `imports ${found.specifier}: no such file`
    }
  },
  bad: [
    { 'packages/core/src/a.ts': `import './b'`, 'packages/core/src/b.ts': '' },
    { 'packages/core/src/a.ts': `import './b.ts'` },
  ],
  good: [{ 'packages/core/src/a.ts': `import './b.ts'`, 'packages/core/src/b.ts': '' }],
}

export const nothingUnfinished: Rule = {
  name: 'nothing is left for later in the text',
  reason: 'what is missing stands in an issue, where it is seen',
  files: /^(?!.*package-lock)/,
  *check({ text }) {
    const found = UNFINISHED.exec(text)
    if (found !== null) yield `says ${found[0]}`
  },
  bad: [{ 'a.md': `${'TO'}DO: finish` }, { 'a.ts': `// ${'FIX'}ME` }],
  good: [{ 'a.md': 'methods and to do' }],
}

export const anyMachine: Rule = {
  name: 'nothing of one machine',
  reason: 'a path or a download address of one machine means nothing on another',
  files: /./,
  *check({ path, text }) {
    const found = MACHINE.exec(text) ?? REGISTRY.exec(text)
    if (found !== null) yield `says ${found[0].trim()}`
    if (path.endsWith('package-lock.json') && /"resolved": "https?:/.test(text))
      yield 'carries download addresses'
  },
  bad: [
    { 'a.md': `see /${'root'}/a` },
    { 'a.ts': `const a = '/${'work'}/a'` },
    { 'package-lock.json': '{ "resolved": "https://example.test/a.tgz" }' },
  ],
  good: [{ 'a.md': 'a network/root/leaf' }, { 'package-lock.json': '{ "resolved": "packages/core" }' }],
}

export const noSleeps: Rule = {
  name: 'tests do not sleep',
  reason: 'time is an argument; a test that waits is slow on one machine and wrong on another',
  files: /\.test\.ts$/,
  *check({ path, text }) {
    for (const { specifier } of imports(path, text))
      if (specifier.endsWith('timers/promises')) yield `imports ${specifier}`
    if (/setTimeout\(\s*(resolve|done)\b/.test(text)) yield 'sleeps'
  },
  bad: [
    { 'tests/a.test.ts': `import { ${'set'}Timeout } from 'node:timers/promises'` },
    { 'tests/a.test.ts': `await new Promise((resolve) => ${'set'}Timeout(resolve, 10))` },
  ],
  good: [{ 'tests/a.test.ts': 'now += 10' }],
}

export const noSkips: Rule = {
  name: 'no test is left out in silence',
  reason: 'a test that does not run has to say why',
  files: /\.test\.ts$/,
  *check({ text }) {
    const found = /\b(test|it|describe|suite)\.(skip|only|todo)\(|\b(skip|only|todo): true/.exec(text)
    if (found !== null) yield `says ${found[0]}`
  },
  bad: [
    { 'tests/a.test.ts': `test('a', { ${'skip'}: true }, () => {})` },
    { 'tests/a.test.ts': `test.${'only'}('a', () => {})` },
  ],
  good: [
    { 'tests/a.test.ts': `test('a', { skip: 'a memory database has no peer' }, () => {})` },
    { 'tests/a.test.ts': `context.skip('a memory database has no peer')` },
  ],
}

export const links: Rule = {
  name: 'links lead somewhere',
  reason: 'a page that points at nothing was true once',
  files: /\.md$/,
  *check({ path, text }, tree) {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
      if (/^[a-z]+:/.test(target)) continue
      const place = new URL(target, `file:///${path}`).pathname.slice(1)
      const there =
        tree.has(place) || [...tree.keys()].some((other) => other.startsWith(place.replace(/\/?$/, '/')))
      if (!there) yield `links to ${target}`
    }
  },
  bad: [{ 'docs/a.md': '[b](b.md)' }, { 'README.md': '[b](docs/b.md#c)' }],
  good: [{ 'docs/a.md': '[b](b.md#c) [d](https://example.test) [e](../docs)', 'docs/b.md': '' }],
}
