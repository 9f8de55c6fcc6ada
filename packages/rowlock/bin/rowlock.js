#!/usr/bin/env node
// The command. Written for old versions of Node too, so that they get an answer and no syntax error.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const program = new URL('../dist/cli.js', import.meta.url)

if (!isRecent(process.versions.node)) useRecentNode()
else if (!existsSync(program))
  end('rowlock is not built yet; in a checkout, `npm run build` or `npm start` builds it.')
else {
  hideSqliteNotice()
  await import(program.href)
}

/** node:sqlite needs no flag from 22.13 on. */
function isRecent(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > 22 || (major === 22 && minor >= 13)
}

// In a checkout npm has brought a Node of its own, which does the work when an older one was started.
function useRecentNode() {
  const recent = nodeFromNpm()
  if (recent === undefined)
    return end(`rowlock needs Node 22.13 or newer; this is Node ${process.versions.node}.`)
  const child = spawn(recent, process.argv.slice(1), { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both; the one that does the work decides what to do about it.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
    process.kill(process.pid, signal)
  })
}

function nodeFromNpm() {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
    const file = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

/** SQLite being experimental is Node's business, not that of whoever runs the command. */
function hideSqliteNotice() {
  const emit = process.emitWarning
  process.emitWarning = (warning, ...rest) => {
    if (!(rest[0] === 'ExperimentalWarning' && String(warning).includes('SQLite'))) emit(warning, ...rest)
  }
}

function end(message) {
  console.error(message)
  process.exitCode = 1
}
