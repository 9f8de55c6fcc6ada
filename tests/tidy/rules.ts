/** A source file as the rules see it: its path from the repository's root, with slashes, and its text. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** One rule of the repository. `broken` is a file that must be refused, so that no rule can be empty. */
export interface Rule {
  readonly name: string
  readonly reason: string
  /** What is wrong with the file, or undefined. */
  check(file: SourceFile): string | undefined
  readonly broken: SourceFile
}

const LARGEST_BYTES = 8192
const CORE = 'packages/core/src/'
const HUB = 'packages/rowlock/src/'

export const rules: readonly Rule[] = [
  {
    name: 'small files',
    reason: 'A file that fits a few screens is read whole; one that does not is two things.',
    check: ({ path, text }) =>
      isSource(path) && Buffer.byteLength(text) > LARGEST_BYTES
        ? `has ${Buffer.byteLength(text)} bytes`
        : undefined,
    broken: { path: `${CORE}port/large.ts`, text: 'x'.repeat(LARGEST_BYTES + 1) },
  },
  {
    name: 'no any',
    reason: 'A type that is not known is unknown, and has to be looked at.',
    check: ({ text }) => find(withoutComments(text), /[:<,|(]\s*any\b(?!\s*:)|\bas any\b/),
    broken: { path: `${CORE}port/x.ts`, text: 'const x: any = 1' },
  },
  {
    name: 'no drawers',
    reason: 'A thing has a name; "utils" and "helpers" are where things are put that were not given one.',
    check: ({ path }) => find(path, /(^|\/)(utils?|helpers?|common|misc)(\/|\.ts$)/),
    broken: { path: `${CORE}utils/x.ts`, text: '' },
  },
  {
    name: 'nothing left open',
    reason: 'What is not done is an issue, not a comment.',
    check: ({ text }) => find(text, /\b(TODO|FIXME|XXX)\b/),
    broken: { path: `${CORE}port/x.ts`, text: '// TO' + 'DO later' },
  },
  {
    name: 'erasable syntax',
    reason: 'The sources run as they are: only types are taken away.',
    check: ({ path, text }) =>
      isSource(path)
        ? find(withoutComments(text), /^\s*(export )?(const )?enum \w|^\s*(export )?namespace \w/m)
        : undefined,
    broken: { path: `${CORE}port/x.ts`, text: 'export enum Colour { Red }' },
  },
  {
    name: 'no default exports',
    reason: 'A name that is chosen by each importer is no name. (A Worker’s entry must have one.)',
    check: ({ path, text }) =>
      isSource(path) && !path.endsWith('/worker.ts')
        ? find(withoutComments(text), /^export default /m)
        : undefined,
    broken: { path: `${CORE}port/x.ts`, text: 'export default 1' },
  },
  {
    name: 'core needs nothing',
    reason:
      'The library runs on any runtime and has no dependency; only the shipped proof kit may ask for types of Node.',
    check: ({ path, text }) =>
      path.startsWith(CORE)
        ? imports(text).find(
            (name) =>
              !name.startsWith('.') && !(path.startsWith(`${CORE}testing/`) && name.startsWith('node:')),
          )
        : undefined,
    broken: { path: `${CORE}claims/x.ts`, text: `import { readFile } from 'node:fs/promises'` },
  },
  {
    name: 'who imports whom',
    reason: 'A module can be understood, and bundled, without the others.',
    check: (file) => imports(file.text).find((name) => !mayImport(file.path, name)),
    broken: { path: `${CORE}claims/x.ts`, text: `import { lease } from '../outbox/verbs/lease.ts'` },
  },
  {
    name: 'where SQL stands',
    reason: 'Whoever asks what is sent to the database finds it in one kind of file.',
    check: ({ path, text }) =>
      mayHoldSql(path)
        ? undefined
        : find(
            withoutComments(text),
            /[`'"]\s*(select\s+\S+[\s\S]{0,200}?\bfrom|insert\s+into|update\s+\S+\s+set|delete\s+from|create\s+(unique\s+)?(table|index))\b/i,
          ),
    broken: { path: `${CORE}claims/verbs/x.ts`, text: 'const text = `select a from b`' },
  },
  {
    name: 'who looks at the dialect',
    reason: 'Differences between engines are data in one place, not ifs beside the logic.',
    check: ({ path, text }) =>
      isSource(path) && !mayLookAtDialect(path)
        ? find(withoutComments(text), /\bdialect\.name\b|\bperDialect\(|dialect\s*===/)
        : undefined,
    broken: { path: `${CORE}claims/verbs/x.ts`, text: `if (driver.dialect.name === 'sqlite') go()` },
  },
  {
    name: 'no sleeping tests',
    reason:
      'Time is an argument. A test that waits for a clock is slow on a good day and wrong on a bad one.',
    check: ({ path, text }) =>
      /\.test\.ts$/.test(path)
        ? find(withoutComments(text), /\bsetTimeout\(\s*\w+\s*,\s*[1-9]|timers\/promises/)
        : undefined,
    broken: {
      path: 'packages/core/test/x.test.ts',
      text: 'await new Promise((done) => setTimeout(done, 50))',
    },
  },
  {
    name: 'no skips without a reason',
    reason: 'A test that does not run has to say why.',
    check: ({ path, text }) =>
      /\.test\.ts$/.test(path)
        ? find(withoutComments(text), /\.skip\(|\.only\(|skip:\s*true|\btodo:/)
        : undefined,
    broken: { path: 'packages/core/test/x.test.ts', text: `test('x', { skip: true }, () => {})` },
  },
]

/** The parts that every module of the library has, so that who knows one knows all. */
export const MODULE_PARTS = [
  'README.md',
  'types.ts',
  'schema.ts',
  'model.ts',
  'index.ts',
  'statements',
  'verbs',
]

const MODULES = ['claims', 'outbox', 'liveness', 'documents']

function mayImport(path: string, name: string): boolean {
  if (path.startsWith(HUB)) return !/core\/src/.test(name)
  if (!path.startsWith(CORE) || !name.startsWith('.')) return true
  const from = path.slice(CORE.length).split('/')[0] ?? ''
  const target = new URL(name, `file:///${path}`).pathname.slice(CORE.length + 1)
  const to = target.split('/')[0] ?? ''
  if (from === to || to === 'errors.ts' || from === 'testing' || from === 'index.ts') return true
  if (from === 'port') return false
  if (to === 'port') return true
  if (from === 'install') return target.endsWith('/schema.ts')
  if (from === 'middleware') return target === 'claims/index.ts' || target === 'claims/types.ts'
  if (MODULES.includes(from)) return to === 'install' || target.startsWith('outbox/statements/')
  return from === 'module.ts'
}

function mayHoldSql(path: string): boolean {
  if (!isSource(path)) return true
  return /\/(port|drivers|statements|install|testing)\/|\/(schema|statements|queries)\.ts$/.test(path)
}

function mayLookAtDialect(path: string): boolean {
  // reading.ts is the hub's small Kysely dialect over the port: it has to choose Kysely's compiler.
  if (path === `${HUB}reading.ts`) return true
  return /\/(port|drivers|install|statements|testing)\/|\/(schema|statements|queries)\.ts$/.test(path)
}

export function isSource(path: string): boolean {
  return path.startsWith(CORE) || path.startsWith(HUB)
}

function imports(text: string): string[] {
  return [
    ...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'|\bimport\('([^']+)'\)/g),
  ].map((found) => found[1] ?? found[2] ?? '')
}

function find(text: string, pattern: RegExp): string | undefined {
  return pattern.exec(text)?.[0].trim().slice(0, 80)
}

/** Comments may say what code may not. Good enough for these rules: no string here holds `//` before a pattern. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1')
}
