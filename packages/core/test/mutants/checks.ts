import { type Check, collect, conformance, type Suite } from '../../src/testing/index.ts'
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
