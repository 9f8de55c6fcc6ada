// Runs test files, two at a time, and says nothing of those that pass.
import { relative } from 'node:path'
import { run } from 'node:test'
import { inspect } from 'node:util'

const AT_ONCE = 2
const ONE_TEST_MS = 5 * 60_000

/**
 * Prints failures whole and resolves to { passed, failed, skipped }. Beside what fails, these count as
 * failed: a file without a test, a test left out without a reason, a file that does not come to an end.
 *
 * @param files paths of test files.
 * @param options.quietMs how long nothing may begin or end before the run is given up.
 */
export async function runTests(files, { cwd, quietMs }) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const open = new Set()
  const printed = new Map()
  const giveUp = new AbortController()
  const quiet = setTimeout(() => {
    const names = [...open].map((file) => relative(cwd, file)).join(', ')
    console.log(`\n✖ nothing began or ended for ${quietMs / 1000} s; still open: ${names}`)
    giveUp.abort()
  }, quietMs)
  const failed = new Set()
  const fail = (name, data, text) => {
    counts.failed += 1
    failed.add(data.file)
    console.log(`\n✖ ${name}\n  ${place(data, cwd)}\n${indent(text)}`)
  }
  const stream = run({
    files,
    cwd,
    concurrency: AT_ONCE,
    timeout: ONE_TEST_MS,
    signal: giveUp.signal,
    execArgv: ['--conditions=rowlock-source', '--disable-warning=ExperimentalWarning'],
  })
  for await (const { type, data } of stream) {
    quiet.refresh()
    if (data.file !== undefined && type === 'test:dequeue') open.add(data.file)
    if (type === 'test:summary' || (type === 'test:complete' && isFile(data, cwd))) open.delete(data.file)
    if (['test:stdout', 'test:stderr', 'test:diagnostic'].includes(type)) {
      const file = data.entryFile ?? data.file
      printed.set(file, [...(printed.get(file) ?? []), data.message.replace(/\n?$/, '\n')])
    }
    if (type === 'test:fail' && isOwnFailure(data)) {
      const { error } = data.details
      fail(data.name, data, inspect(error.cause instanceof Error ? error.cause : error, { depth: 4 }))
    }
    if (type === 'test:pass' && data.details?.type !== 'suite') {
      const left = data.skip ?? data.todo
      if (isFile(data, cwd)) fail(data.name, data, 'holds no test')
      else if (left === undefined) counts.passed += 1
      else if (typeof left === 'string' && left !== '') counts.skipped += 1
      else fail(data.name, data, 'is left out without a reason')
    }
  }
  clearTimeout(quiet)
  for (const file of failed) {
    const output = printed.get(file)?.join('').trim() ?? ''
    if (output !== '') console.log(`\n${relative(cwd, file)} printed:\n${indent(output)}`)
  }
  sayWhatWasAskedFor(printed, failed)
  return counts
}

// Figures that a person wants to see of a green run too: lines that a test prints with a leading "# ".
function sayWhatWasAskedFor(printed, failed) {
  for (const [file, messages] of printed) {
    if (failed.has(file)) continue
    for (const line of messages.join('').split('\n'))
      if (line.startsWith('# ')) console.log(`  ${line.slice(2)}`)
  }
}

// A suite, or a test with tests inside, that fails only because one of those did is not said twice.
function isOwnFailure(data) {
  return data.details?.error?.failureType !== 'subtestsFailed'
}

// A file without tests is reported as one test that has the file's name.
function isFile({ name, file, nesting }, cwd) {
  return nesting === 0 && file !== undefined && (name === file || name === relative(cwd, file))
}

function place({ file, line }, cwd) {
  return file === undefined ? '' : `${relative(cwd, file)}${line === undefined ? '' : `:${line}`}`
}

function indent(text) {
  return text.replace(/^/gm, '    ')
}
