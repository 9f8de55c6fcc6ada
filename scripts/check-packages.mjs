// Looks at the packages as their users get them: built, packed, linted, imported, weighed.
// Builds into a temporary folder, never into packages/*/dist: a hub may be running from there.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { root } from './install.mjs'

// What all of claims (every verb, its installer, schema lag, input checks) and the D1 driver take today, rounded
// up: see ARCHITECTURE.md, "Size". It may fall, and grows only with a reason given there.
const BUDGET_BYTES = 17 * 1024
const SOURCES = /(^|\/)(src|test|dist|node_modules)$/

/** What an entry may pull in beside the port, the errors and the installer; `testing` may pull in all. */
const MAY_PULL_IN = [
  { entry: /^\.$|^\.\/module$/, may: /^\w+\/schema\.ts$|^claims\/on-win\.ts$/ },
  { entry: /^\.\/(fetch|hono|express)$/, may: /^(middleware|claims|outbox\/statements)\// },
  { entry: /^\.\/(sqlite|d1|postgres|kysely|drizzle)$/, may: /^drivers\// },
  { entry: /^\.\/(claims|liveness|documents|outbox)$/, may: /^outbox\/(statements\/|schema\.ts$)/ },
  { entry: /^\.\/testing$/, may: /./ },
]

const fromTests = createRequire(join(root, 'tests/package.json'))
const [{ publint }, attw, esbuild] = await Promise.all(
  ['publint', '@arethetypeswrong/core', 'esbuild'].map(
    (name) => import(pathToFileURL(fromTests.resolve(name)).href),
  ),
)
const run = promisify(execFile)
const problems = []
const folder = mkdtempSync(join(tmpdir(), 'rowlock-packages-'))
try {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'))
  const [core, rowlock] = await Promise.all(['core', 'rowlock'].map(buildAndPack))
  await checkTypes(core.tarball)
  await checkEntries(core, Object.keys(exports))
  await checkCommand(rowlock)
  await checkSize()
  await checkSeparation(Object.keys(exports))
} catch (error) {
  problems.push(`${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.log(problem)
process.exit(problems.length === 0 ? 0 : 1)

/** Builds a copy of the package, lints it, packs it and unpacks what was packed. */
async function buildAndPack(name) {
  const source = join(root, 'packages', name)
  const copy = join(folder, 'built', name)
  cpSync(source, copy, { recursive: true, filter: (path) => !SOURCES.test(path) })
  const tsdown = join(root, 'node_modules/tsdown/dist/run.mjs')
  await run(process.execPath, [tsdown, '--out-dir', join(copy, 'dist'), '--logLevel', 'error'], {
    cwd: source,
  })
  const { messages } = await publint({ pkgDir: copy, strict: true })
  for (const { code, path, args } of messages)
    problems.push(`publint ${name}: ${code} ${path.join('.')} ${JSON.stringify(args)}`)
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: copy })
  const [{ filename }] = Object.values(JSON.parse(stdout))
  const unpacked = join(folder, 'unpacked', name)
  mkdirSync(unpacked, { recursive: true })
  await run('tar', ['-xzf', join(folder, filename), '-C', unpacked, '--strip-components=1'])
  return { tarball: join(folder, filename), unpacked }
}

async function checkTypes(tarball) {
  const result = await attw.checkPackage(attw.createPackageFromTarballData(readFileSync(tarball)))
  // The package is ESM for modern resolution; CommonJS callers and node10 resolution are not served.
  const served = ({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs'
  for (const { kind, entrypoint = '' } of result.problems.filter(served))
    problems.push(`types: ${kind} ${entrypoint}`)
}

/** Every entry can be imported with nothing else installed. */
async function checkEntries({ unpacked }, entries) {
  const alone = join(folder, 'alone/node_modules/@rowlock')
  mkdirSync(alone, { recursive: true })
  symlinkSync(unpacked, join(alone, 'core'))
  const script = entries.map((entry) => `await import('@rowlock/core${entry.slice(1)}')`).join('\n')
  await run(process.execPath, ['--preserve-symlinks', '--input-type=module', '--eval', script], {
    cwd: join(folder, 'alone'),
  })
}

/** The command starts from what was packed, with its declared dependencies beside it. */
async function checkCommand({ unpacked }) {
  const { dependencies, version } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    const link = join(unpacked, 'node_modules', name)
    mkdirSync(join(link, '..'), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link)
  }
  const { stdout } = await run(process.execPath, [join(unpacked, 'bin/rowlock.js'), 'version'], {
    cwd: folder,
  })
  if (!stdout.includes(version)) problems.push(`rowlock version says ${stdout.trim()}, packed is ${version}`)
}

async function checkSize() {
  const { text } = await bundle(
    `export { createClaims } from '@rowlock/core/claims'; export { d1 } from '@rowlock/core/d1'`,
    { resolveDir: join(folder, 'alone') },
  )
  const bytes = gzipSync(text, { level: 9 }).length
  console.log(`# claims + d1: ${bytes} of ${BUDGET_BYTES} bytes, minified and gzipped`)
  if (bytes > BUDGET_BYTES)
    problems.push(`size: claims + d1 take ${bytes} bytes minified and gzipped, the budget is ${BUDGET_BYTES}`)
}

/** Importing one module pulls in no other. */
async function checkSeparation(entries) {
  for (const entry of entries) {
    const rule = MAY_PULL_IN.find((one) => one.entry.test(entry))
    if (rule === undefined) problems.push(`separation: nothing says what ${entry} may pull in`)
    const { inputs } = await bundle(`export * from '@rowlock/core${entry.slice(1)}'`, {
      resolveDir: root,
      conditions: ['rowlock-source'],
    })
    for (const input of inputs) {
      const path = input.split('packages/core/src/')[1]
      const own =
        path === undefined ||
        /^(\w+\.ts$|port\/|install\/)/.test(path) ||
        path.startsWith(`${entry.slice(2)}/`)
      if (!own && !rule?.may.test(path)) problems.push(`separation: ${entry} pulls in ${path}`)
    }
  }
}

/** The text, and the files of which something stayed in it. */
async function bundle(contents, { resolveDir, conditions = [] }) {
  const { outputFiles, metafile } = await esbuild.build({
    stdin: { contents, resolveDir, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    logLevel: 'silent',
    conditions,
    external: ['node:*'],
    absWorkingDir: root,
  })
  const [output] = Object.values(metafile.outputs)
  const inputs = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0)
  return { text: outputFiles[0].text, inputs: inputs.map(([path]) => path) }
}
