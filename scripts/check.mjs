// Everything that a change must pass, one stage after another, on our Node 24. Called by npm test.
//   node scripts/check.mjs [--only STAGE[,STAGE]] [--long] [PATTERN ...]
import { spawn } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testPostgres } from '../tests/engines/postgres.ts'
import { path24, root } from './install.mjs'

const bin = (name) => join(root, 'node_modules', name)
const node = (...argv) => [process.execPath, ['--disable-warning=ExperimentalWarning', ...argv]]

const stages = {
  format: () => step('format and lint', ...node(bin('@biomejs/biome/bin/biome'), 'ci', '--colors=off', '.')),
  types: () => step('types', ...node(bin('typescript/bin/tsc'), '-p', '.')),
  packages: () =>
    step('packages', ...node('--conditions=rowlock-source', join(root, 'scripts/check-packages.mjs'))),
  tests,
}

const options = readOptions(process.argv.slice(2))
const total = { passed: 0, failed: 0, skipped: 0 }
for (const name of options.only ?? Object.keys(stages)) {
  const started = Date.now()
  const counts = await stages[name]()
  for (const key of Object.keys(total)) total[key] += counts[key] ?? 0
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(
    `${counts.failed === 0 ? '✔' : '✖'} ${name}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s`,
  )
}
console.log(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

async function tests() {
  const files = testFiles()
  if (files.length === 0) return { passed: 0, failed: 1 }
  const server = await testPostgres()
  const [program, argv] = node(
    '--conditions=rowlock-source',
    '--test',
    '--test-concurrency=2',
    `--test-reporter=${new URL('reporter.mjs', import.meta.url).href}`,
    ...files,
  )
  const { status, output } = await run(program, argv, { ROWLOCK_TEST_POSTGRES: server.url })
  await server.stop()
  const [, counted] = /@counts (.*)\n/.exec(output) ?? []
  const shown = output.replace(/@counts .*\n/, '').trim()
  if (shown !== '') console.log(shown)
  if (counted === undefined) return { passed: 0, failed: 1 }
  const counts = JSON.parse(counted)
  // A run that ended badly although no test failed (a file that could not start) is a failure too.
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

function testFiles() {
  const patterns =
    options.patterns.length > 0 ? options.patterns : ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts']
  return globSync(patterns, { cwd: root, exclude: (name) => name === 'node_modules' })
    .filter((file) => !file.includes('node_modules') && file.endsWith('.long.test.ts') === options.long)
    .sort()
}

async function step(title, program, argv) {
  const { status, output } = await run(program, argv)
  if (status !== 0) console.log(`\n${title}:\n${output.trim()}\n`)
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function run(program, argv, environment = {}) {
  const child = spawn(program, argv, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: path24(), ...environment },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  return new Promise((resolve) => child.on('close', (status) => resolve({ status, output })))
}

function readOptions(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { only: { type: 'string' }, long: { type: 'boolean', default: false } },
  })
  const only = values.only?.split(',')
  const wrong = (only ?? []).filter((name) => !(name in stages))
  const missing = positionals.filter((pattern) => !pattern.includes('*') && !existsSync(join(root, pattern)))
  if (wrong.length > 0 || missing.length > 0) {
    console.error(
      `no stage or file ${[...wrong, ...missing].join(', ')}; stages: ${Object.keys(stages).join(', ')}`,
    )
    process.exit(2)
  }
  const testsOnly = positionals.length > 0 || values.long
  return { only: only ?? (testsOnly ? ['tests'] : undefined), long: values.long, patterns: positionals }
}
