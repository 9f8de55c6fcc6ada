// Builds the packages when their sources are not those of the last build.
//   node scripts/build.mjs [PACKAGE ...]
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { alone, fingerprint, installRoot, node24, path24, root } from './install.mjs'

const PACKAGES = ['core', 'rowlock']

/** The hub's bundle carries the library, so the hub alone is enough to serve. */
export function build(names = PACKAGES) {
  for (const name of names) {
    const folder = join(root, 'packages', name)
    if (isBuilt(folder)) continue
    alone('build', () => isBuilt(folder) || buildPackage(folder))
  }
}

function buildPackage(folder) {
  const before = sources(folder)
  const tsdown = spawnSync(node24, [join(root, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'error'], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PATH: path24() },
  })
  if (tsdown.status !== 0) throw new Error(`${folder} could not be built:\n${tsdown.stdout}${tsdown.stderr}`)
  writeFileSync(stampFile(folder), before)
}

const stampFile = (folder) => join(root, '.stamps', `built-${basename(folder)}`)
const isBuilt = (folder) =>
  existsSync(join(folder, 'dist')) &&
  existsSync(stampFile(folder)) &&
  readFileSync(stampFile(folder), 'utf8') === sources(folder)

function sources(folder) {
  return fingerprint([
    ...PACKAGES.flatMap((name) => filesBelow(join(root, 'packages', name, 'src'))),
    join(folder, 'package.json'),
    join(folder, 'tsdown.config.ts'),
    join(root, 'package-lock.json'),
  ])
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  installRoot()
  build(process.argv.length > 2 ? process.argv.slice(2) : PACKAGES)
}
