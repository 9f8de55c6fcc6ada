import { UnavailableError } from '../../errors.ts'
import { show } from '../assert.ts'
import type { Choice } from './choice.ts'
import { labelOf } from './label.ts'
import type { Finished, Rules, Violation } from './types.ts'

/** Whether one finished order is as it must be; if not, what was wrong. */
export async function judge(
  rules: Rules,
  run: Finished & { readonly chosen: readonly Choice[] },
): Promise<Violation | undefined> {
  try {
    refuseThrown(rules, run)
    await rules.invariant(run)
    return undefined
  } catch (error) {
    return { error, trace: run.trace, replay: run.chosen.map(labelOf) }
  }
}

/** An actor that failed has checked nothing; only an answer that explore itself lost may end it. */
function refuseThrown({ mayThrow }: Rules, { outcomes, trace }: Finished): void {
  for (const [name, outcome] of Object.entries(outcomes)) {
    if (outcome.state !== 'threw' || mayThrow?.(outcome.error)) continue
    const lost = trace.some(({ actor, crash }) => actor === name && crash?.fate === 'lost')
    if (lost && outcome.error instanceof UnavailableError) continue
    throw new Error(`${name} threw ${show(outcome.error)}`, { cause: outcome.error })
  }
}
