import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClaims } from '../../src/claims/index.ts'
import { type Engine, type Mutant, memory, mutants } from '../../src/testing/index.ts'
import { claimsSuite } from '../../src/testing/suites/claims.ts'
import { suiteChecks } from './checks.ts'

/** The five mistakes that nearly everybody makes who writes a claim by hand. */
const classics: Readonly<Record<string, (mutant: Mutant) => boolean>> = {
  'back to DO NOTHING: the first winner keeps the key for ever': ({ kind }) => kind === 'do-nothing',
  'no WHERE: whoever comes takes the key over': ({ kind }) => kind === 'drop-where',
  'NULL rows shut out: what was there before is never won': ({ kind, id }) =>
    kind === 'drop-branch' && id.includes('"claimed_at" is null'),
  '< to <=: two holders in the last millisecond': ({ id }) => id.endsWith(': < to <='),
  "the sender's time: a clock that is an hour ahead takes everything": ({ id }) =>
    id.endsWith("the sender's clock, an hour ahead"),
}

const { driver, dispose } = await memory().open()
const statement = createClaims(driver).statements.acquire('k', { ttl: 5, holder: 'x' })
await dispose()
const all = mutants({ statements: [statement], batches: [] }, { dialect: driver.dialect })

for (const [name, is] of Object.entries(classics)) {
  test(`killed: ${name}`, async (context) => {
    const [mutant, ...others] = all.filter(is)
    assert.ok(mutant !== undefined && others.length === 0, 'the statement has one place for this mistake')
    const { killers, ran } = await killersOf(mutant)
    assert.ok(ran, 'the mutant was never sent')
    assert.ok(killers.length > 0, 'nothing noticed it')
    context.diagnostic(`noticed by ${killers.length} cases: ${killers[0]}`)
  })
}

/** The cases of the suite that fail with this mistake. */
async function killersOf(mutant: Mutant): Promise<{ killers: string[]; ran: boolean }> {
  let ran = false
  const plain = memory()
  const engine: Engine = {
    ...plain,
    async open() {
      const opened = await plain.open()
      const carriedOut = () => {
        ran = true
      }
      return { ...opened, driver: mutant.apply(opened.driver, carriedOut) }
    },
  }
  const killers: string[] = []
  for (const { name, run } of suiteChecks(claimsSuite)) {
    await run(engine).catch(() => killers.push(name))
  }
  return { killers, ran }
}
