// Everything that a change must pass, one stage after another, on our Node 24. Called by npm test.
//   node scripts/check.mjs [--only STAGE[,STAGE]] [--long] [PATTERN ...]
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { path24, root } from './install.mjs'
import { runTests } from './run-tests.mjs'

const MINUTE_MS = 60_000
const bin = (name) => join(root, 'node_modules', name)

const stages = {
  format: () =>
    step(
      bin('@biomejs/biome/bin/biome'),
      'ci',
      '--colors=off',
      '--max-diagnostics=200',
      '--diagnostic-level=error',
      '.',
    ),
  types: () =>
    step(
      bin('typescript/bin/tsc'),
      ...['-p', '.', '--incremental', '--tsBuildInfoFile', bin('.cache/types.tsbuildinfo')],
    ),
  packages: () => step(join(root, 'scripts/check-packages.mjs')),
  tests,
}

const options = readOptions(process.argv.slice(2))
process.env.PATH = path24()
const total = { passed: 0, failed: 0, skipped: 0 }
for (const name of options.stages) {
  const started = Date.now()
  const counts = await stages[name]()
  for (const key of Object.keys(total)) total[key] += counts[key] ?? 0
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  console.log(`${counts.failed === 0 ? '✔' : '✖'} ${name}: ${sum(counts)}, ${seconds} s`)
}
console.log(sum(total))
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

function sum({ passed, failed, skipped = 0 }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

// One PostgreSQL serves all files, each with databases of its own.
async function tests() {
  const { testPostgres } = await import('../tests/engines/postgres.ts')
  const server = await testPostgres()
  process.env.ROWLOCK_TEST_POSTGRES = server.url
  try {
    return await runTests(options.files, { cwd: root, quietMs: (options.long ? 30 : 5) * MINUTE_MS })
  } finally {
    await server.stop()
  }
}

async function step(program, ...argv) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...argv], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const status = await new Promise((resolve) => child.on('close', resolve))
  if (status !== 0) console.log(`\n${output.trim()}\n`)
  return status === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

function readOptions(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { only: { type: 'string' }, long: { type: 'boolean', default: false } },
  })
  const { long } = values
  const chosen = values.only?.split(',') ?? (positionals.length > 0 || long ? ['tests'] : Object.keys(stages))
  const patterns =
    positionals.length > 0 ? positionals : ['packages/*/test/**/*.test.ts', 'tests/**/*.test.ts']
  const files = testFiles(patterns, positionals.length > 0 ? undefined : long)
  const unknown = chosen.filter((name) => !(name in stages))
  if (unknown.length > 0)
    refuse(`no stage ${unknown.join(', ')}; there are ${Object.keys(stages).join(', ')}`)
  if (chosen.includes('tests') && files.length === 0) refuse(`no test file fits ${patterns.join(' ')}`)
  return { stages: chosen, long, files }
}

/** `*.long.test.ts` are for `npm run test:long`; whoever names files gets those. */
function testFiles(patterns, long) {
  return globSync(patterns, { cwd: root, exclude: (name) => name === 'node_modules' })
    .filter((file) => !file.includes('node_modules') && file.endsWith('.test.ts'))
    .filter((file) => long === undefined || file.endsWith('.long.test.ts') === long)
    .sort()
}

function refuse(message) {
  console.error(message)
  process.exit(2)
}
