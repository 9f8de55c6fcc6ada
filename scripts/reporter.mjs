// A quiet reporter: a dot line of files while they run, failures whole, figures at the end as JSON for the caller.
import { relative } from 'node:path'
import { inspect } from 'node:util'

export default async function* report(source) {
  const printed = []
  for await (const { type, data } of source) {
    if (type === 'test:fail' && !isOnlyAParent(data)) yield failure(data)
    if (type === 'test:stdout' || type === 'test:stderr') printed.push(data.message)
    if (type === 'test:diagnostic' && data.level === 'error') yield `${data.message}\n`
    if (type === 'test:skip' || data.skip) yield ''
    if (type === 'test:summary' && data.file === undefined) {
      const { tests, passed, failed, skipped, cancelled, todo } = data.counts
      if (process.env.ROWLOCK_TEST_OUTPUT === 'all' || failed > 0) yield printed.join('')
      else yield printed.filter((line) => line.startsWith('# ')).join('')
      yield `@counts ${JSON.stringify({ tests, passed, failed: failed + cancelled, skipped: skipped + todo })}\n`
    }
  }
}

// A file or suite that fails only because a test inside it did is said once, by that test.
function isOnlyAParent(data) {
  return data.details?.error?.failureType === 'subtestsFailed'
}

function failure(data) {
  const where = data.file === undefined ? '' : `${relative(process.cwd(), data.file)}:${data.line ?? 0}`
  const error = data.details?.error
  return `\n✖ ${data.name}\n  ${where}\n${inspect(error?.cause ?? error, { depth: 4 }).replace(/^/gm, '    ')}\n`
}
