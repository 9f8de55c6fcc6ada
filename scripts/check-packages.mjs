// Looks at the packages as their users get them: built, packed, linted, their types resolved, their size weighed.
// Builds into a temporary folder, never into packages/*/dist: a hub may be running from there.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { root } from './install.mjs'

const BUDGET_BYTES = 6 * 1024
const fromTests = createRequire(join(root, 'tests/package.json'))
const load = (name) => import(pathToFileURL(fromTests.resolve(name)).href)
const [{ publint }, attw, esbuild] = await Promise.all(
  ['publint', '@arethetypeswrong/core', 'esbuild'].map(load),
)

const problems = []
const folder = mkdtempSync(join(tmpdir(), 'rowlock-packages-'))
try {
  for (const name of ['core', 'rowlock']) await checkPackage(name)
  await checkSize()
  await checkSeparation()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.log(problem)
process.exit(problems.length === 0 ? 0 : 1)

async function checkPackage(name) {
  const source = join(root, 'packages', name)
  const copy = join(folder, name)
  cpSync(source, copy, { recursive: true, filter: (path) => !/\/(node_modules|dist|test|src)$/.test(path) })
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/tsdown/dist/run.mjs'), '--out-dir', join(copy, 'dist'), '--logLevel', 'error'],
    { cwd: source, stdio: 'pipe' },
  )
  const { messages } = await publint({ pkgDir: copy, strict: true })
  for (const message of messages)
    problems.push(
      `publint ${name}: ${message.code} ${message.path.join('.')} ${JSON.stringify(message.args)}`,
    )
  if (name === 'core') await checkTypes(copy)
}

async function checkTypes(copy) {
  const packed = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: copy, encoding: 'utf8' }),
  )
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed)
  const result = await attw.checkPackage(
    attw.createPackageFromTarballData(readFileSync(join(folder, filename))),
  )
  // The package is ESM for modern resolution; CommonJS callers and node10 resolution are not served.
  const served = (problem) => problem.resolutionKind !== 'node10' && problem.resolutionKind !== 'node16-cjs'
  for (const problem of result.problems.filter(served))
    problems.push(`types: ${problem.kind} ${problem.entrypoint ?? ''}`)
}

async function checkSize() {
  const code = await bundle(
    `export { createClaims } from '@rowlock/core/claims'; export { d1 } from '@rowlock/core/d1'`,
  )
  const bytes = gzipSync(code.text, { level: 9 }).length
  console.log(`claims + d1: ${bytes} bytes minified and gzipped (budget ${BUDGET_BYTES})`)
  if (bytes > BUDGET_BYTES)
    problems.push(`size: claims + d1 take ${bytes} bytes, the budget is ${BUDGET_BYTES}`)
}

// Importing one module pulls in no other: neither a module's verbs nor a driver that was not asked for.
async function checkSeparation() {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8'))
  for (const entry of Object.keys(exports).filter(
    (name) => !['.', './testing', './fetch', './hono', './express'].includes(name),
  )) {
    const own = entry.slice(2)
    const { inputs } = await bundle(`export * from '@rowlock/core/${own}'`)
    const foreign = inputs.filter((input) => {
      const [, module, rest] =
        /core\/src\/(claims|outbox|drivers|testing|middleware)\/(.*)$/.exec(input) ?? []
      if (module === undefined || module === own) return false
      if (module === 'drivers') return !rest.startsWith(own)
      return !(module === 'outbox' && rest.startsWith('statements/'))
    })
    for (const input of foreign) problems.push(`separation: ${entry} pulls in ${input}`)
  }
}

async function bundle(contents) {
  const result = await esbuild.build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2024',
    logLevel: 'silent',
    conditions: ['rowlock-source'],
    external: ['node:*', 'pg', 'hono', 'express'],
  })
  return { text: result.outputFiles[0].text, inputs: Object.keys(result.metafile.inputs) }
}
