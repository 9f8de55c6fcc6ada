// Builds the packages when their sources are not those of the last build.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fingerprint, node24, path24, root } from './install.mjs'

const PACKAGES = ['core', 'rowlock']

export function build() {
  for (const name of PACKAGES) buildPackage(join(root, 'packages', name))
}

function buildPackage(folder) {
  const sources = [
    ...PACKAGES.flatMap((name) => filesBelow(join(root, 'packages', name, 'src'))),
    join(folder, 'package.json'),
    join(folder, 'tsdown.config.ts'),
  ]
  const stampFile = join(folder, 'dist/.rowlock-stamp')
  const stamp = fingerprint(sources)
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return
  const tsdown = spawnSync(node24, [join(root, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'error'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path24() },
  })
  if (tsdown.status !== 0) {
    console.error(tsdown.stdout, tsdown.stderr)
    process.exit(tsdown.status ?? 1)
  }
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, stamp)
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

if (process.argv[1] === new URL(import.meta.url).pathname) build()
