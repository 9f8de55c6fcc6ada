import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { sqlite } from '../../src/port/dialect.ts'
import { memory, survivorsIn } from '../../src/testing/index.ts'
import { claimsSuite } from '../../src/testing/suites/claims.ts'
import { suiteChecks } from './checks.ts'
import { claimsChecks } from './claims-checks.ts'
import { attack, familiesOf } from './families.ts'

const explained = survivorsIn(readFileSync(new URL('claims-survivors.md', import.meta.url), 'utf8'))

/** Names that some tests give to the claim's columns. */
const RENAMED: Readonly<Record<string, string>> = {
  won_at: 'claimed_at',
  until: 'expires_at',
  fence: 'token',
  owner: 'holder',
  progress: 'state',
  outcome: 'result',
  payload: 'fingerprint',
}

/** A mistake's name without the names of tables, keys and companions, and not longer than it takes. */
function plain(id: string): string {
  return id
    .replace(/ \(\d+\)$/, '')
    .replace(
      /("event_claims"|source)\."fingerprint"|"\w+_claims"\."key"|source\.value|"fingerprint"(?= in )/g,
      'KEY',
    )
    .replace(/"(\w+)"/g, (_, name: string) => RENAMED[name] ?? name)
    .replace(/\b\w+_claims\./g, '')
    .replace(/\b\w+_claims\b/g, 'TABLE')
    .replace(/drop-expect: of (\S+) in .*/, 'drop-expect: of $1')
    .replace(/swap: (\S+) and (\S+) in .*/, (_, ...two: string[]) => {
      const [one, other] = two.map((name) => (String(name).startsWith('claims.') ? name : 'companion'))
      return `swap: ${one} and ${other}`
    })
    .replace(/(: drop-\w+: .{60}).*/, '$1…')
}

test('every mistake in a statement of claims is noticed, or explained', async (context) => {
  const checks = [...suiteChecks(claimsSuite), ...claimsChecks]
  const only = (name: string) => name.startsWith('claims.')
  const families = await familiesOf(memory(), checks, { dialect: sqlite, only, plain })
  const outcomes = await attack(memory(), families, checks)
  const survivors = outcomes.filter(({ killer }) => killer === undefined).map(({ family }) => family.id)

  assert.ok(families.length > 200, `only ${families.length} mistakes`)
  assert.deepEqual(
    survivors.filter((id) => explained[id] === undefined),
    [],
    'survived, and nobody says why',
  )
  assert.deepEqual(
    Object.keys(explained).filter((id) => !survivors.includes(id)),
    [],
    'explained, and killed or not there',
  )
  const mutants = families.reduce((sum, { members }) => sum + members.length, 0)
  context.diagnostic(
    `${families.length} mistakes, ${mutants} mutants: ${families.length - survivors.length} noticed, ${survivors.length} explained`,
  )
})
