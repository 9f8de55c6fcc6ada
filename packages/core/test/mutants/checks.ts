import { createClaims } from '../../src/claims/index.ts'
import { claimsModel } from '../../src/claims/model.ts'
import { claimsSchema } from '../../src/claims/schema.ts'
import { installSchemas } from '../../src/install/installer.ts'
import { equal } from '../../src/testing/assert.ts'
import { type Check, collect, conformance, type Suite } from '../../src/testing/index.ts'
import { operations as claimsOperations, type Operation, type Tokens } from '../claims/model/operations.ts'
import { compare } from '../outbox/model/compare.ts'
import { beginnings, operations } from '../outbox/model/operations.ts'

/** What has to notice a mistake in a statement. Those that find most in the shortest time come first. */

/** Each case of a suite. */
export function suiteChecks(suite: Suite): Check[] {
  return suite.cases.map((one) => ({
    name: one.name,
    async run(engine) {
      const { test, cases } = collect()
      conformance(engine, { test, suites: [{ ...suite, cases: [one] }] })
      const { outcome, reason } = await cases[0]!.run()
      if (outcome === 'failed') throw new Error(reason)
    },
  }))
}

/** The outbox against its model: each call, behind each beginning. */
export const outboxModelCheck: Check = {
  name: 'the model',
  async run(engine) {
    // A sub-select of one literal row tells less than those of the suite.
    const told = operations.filter(({ name }) => !name.startsWith('derive'))
    const { difference } = await compare({ engine, beginnings, operations: told, depth: 1 })
    if (difference !== undefined) throw difference.error
  },
}

const ROWS = {
  name: 'look',
  text: 'select key, claimed_at, expires_at, token, holder, state, result from "rowlock_claims" order by key',
  values: [],
}

/** Claims against their model: every two calls. */
export const claimsModelCheck: Check = {
  name: 'the model, 2 deep',
  async run(engine) {
    const { driver, snapshot, dispose } = await engine.open()
    await installSchemas(driver, [claimsSchema])
    const fresh = snapshot!()
    for (const first of claimsOperations) {
      for (const second of [undefined, ...claimsOperations]) {
        fresh()
        const claims = createClaims(driver)
        const model = claimsModel()
        const tokens: Tokens = new Map()
        for (const operation of [first, ...(second ? [second] : [])])
          await step(operation, { claims, model, tokens })
        equal(await driver.execute(ROWS), rowsOf(model), `${first.name} > ${second?.name}`)
      }
    }
    await dispose()
  },
}

type Both = { claims: ReturnType<typeof createClaims>; model: ReturnType<typeof claimsModel>; tokens: Tokens }

async function step({ name, onSql, onModel }: Operation, { claims, model, tokens }: Both): Promise<void> {
  const actual = await onSql(claims, new Map(tokens))
  equal(actual, onModel(model, tokens), name)
}

function rowsOf({ rows }: Both['model']): unknown[] {
  return [...rows]
    .sort(([one], [two]) => (one < two ? -1 : 1))
    .map(([key, { claimedAt, expiresAt, token, holder, state, result }]) => ({
      key,
      claimed_at: claimedAt,
      expires_at: expiresAt,
      token,
      holder,
      state,
      result,
    }))
}
