// Runs on Node 20: what must work before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const onWindows = process.platform === 'win32'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The Node 24 that npm brought. */
export const node24 = join(root, 'node_modules/node/bin', onWindows ? 'node.exe' : 'node')

const MANIFESTS = [
  'package.json',
  'packages/core/package.json',
  'packages/rowlock/package.json',
  'package-lock.json',
]

/** What the hub, the build and the plain tests need. */
export function installRoot() {
  install(root, MANIFESTS)
  const found = existsSync(node24)
    ? spawnSync(node24, ['--version'], { encoding: 'utf8' }).stdout.trim()
    : 'none'
  if (!found.startsWith('v24.')) {
    fail(
      `Rowlock brings its own Node 24 from npm, but found ${found}: npm did not run the install script of the`,
      'package "node". Allow it (npm config get ignore-scripts must say false), then: npm rebuild node',
    )
  }
}

/** PostgreSQL, Cloudflare's runtime and a browser, for the tests only. */
export function installTests() {
  install(join(root, 'tests'), ['package.json', 'package-lock.json'])
}

/**
 * Installs when the manifests are not those of the last install. A first install is `npm ci`; a
 * later one is `npm install`, which changes only what differs: `npm ci` would delete the modules
 * from under a hub that is running.
 */
function install(folder, manifests) {
  const stampFile = join(folder, 'node_modules/.rowlock-stamp')
  const wanted = () => fingerprint(manifests.map((name) => join(folder, name)))
  const done = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === wanted()
  if (done()) return
  alone(`install-${folder === root ? 'root' : 'tests'}`, () => {
    if (done()) return
    const fresh = !existsSync(join(folder, 'node_modules'))
    console.error(`Installing ${folder === root ? 'packages' : 'test engines'} from the lock file …`)
    const npm = spawnSync('npm', [fresh ? 'ci' : 'install', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      shell: onWindows,
      env: installEnvironment(),
    })
    if (npm.status !== 0) throw new Error(`npm could not install ${folder}:\n${npm.stdout}${npm.stderr}`)
    mkdirSync(dirname(stampFile), { recursive: true })
    writeFileSync(stampFile, wanted())
  })
}

/** Without what `npm start` and `npm test` set for their own script: it would change what is installed. */
function installEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(command|lifecycle|package)/.test(name)),
  )
}

/** `npm start` and `npm test` may be started side by side: only one of them installs or builds at a time. */
export function alone(name, work) {
  const folder = join(root, '.stamps')
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, `${name}.lock`)
  while (!take(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  try {
    work()
  } catch (error) {
    rmSync(lock, { force: true })
    fail(error.message)
  }
  rmSync(lock, { force: true })
}

function take(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
  }
  try {
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0)
  } catch (error) {
    if (error.code === 'ESRCH') rmSync(lock, { force: true }) // its maker was killed
  }
  return false
}

export function fingerprint(files) {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}

/** Runs a program with our Node 24 first in PATH, passes signals on, and ends as it ended. */
export function become(argv, environment = {}) {
  const child = spawn(node24, argv, {
    stdio: 'inherit',
    env: { ...process.env, PATH: path24(), ...environment },
  })
  // A terminal sends Ctrl-C to the child as well: passed on, it would count as pressed twice.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event !== undefined) whenOrphaned(() => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => process.exit(code ?? { SIGINT: 130, SIGKILL: 137 }[signal] ?? 143))
}

// npm starts scripts through a shell, and a shell that is ended does not tell its child.
function whenOrphaned(stop) {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || stop(), 250).unref()
}

export function path24() {
  return `${dirname(node24)}${onWindows ? ';' : ':'}${process.env.PATH ?? ''}`
}

export function fail(...lines) {
  for (const line of lines) console.error(line)
  process.exit(1)
}
