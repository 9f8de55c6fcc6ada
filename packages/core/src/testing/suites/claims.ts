import { claimsSchema } from '../../claims/index.ts'
import type { Suite } from '../suite.ts'
import { clockCases } from './claims/clock.ts'
import { eachWayCases } from './claims/each-way.ts'
import { inputCases } from './claims/input.ts'
import { lagCases } from './claims/lag.ts'
import { lateCases } from './claims/late.ts'
import { manyCases } from './claims/many.ts'
import { ownTableCases } from './claims/own-table.ts'
import { pageCases } from './claims/pages.ts'
import { tokenCases } from './claims/tokens.ts'
import { verbCases } from './claims/verbs.ts'
import { windowCases } from './claims/window.ts'
import { workCases } from './claims/work.ts'

export { claimsRaces } from './claims/races.ts'

/** What every engine must show of claims. */
export const claimsSuite: Suite = {
  name: 'claims',
  schemas: [claimsSchema],
  cases: [
    ...windowCases,
    ...eachWayCases,
    ...clockCases,
    ...tokenCases,
    ...verbCases,
    ...pageCases,
    ...manyCases,
    ...lateCases,
    ...ownTableCases,
    ...lagCases,
    ...workCases,
    ...inputCases,
  ],
}
