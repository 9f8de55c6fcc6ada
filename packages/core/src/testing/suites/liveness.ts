import { livenessSchema } from '../../liveness/index.ts'
import { outboxSchema } from '../../outbox/index.ts'
import type { Suite } from '../suite.ts'
import { alertCases } from './liveness/alerts.ts'
import { beatCases } from './liveness/beats.ts'
import { changeCases } from './liveness/changes.ts'
import { clockCases } from './liveness/clock.ts'
import { countCases } from './liveness/counts.ts'
import { failureCases } from './liveness/failures.ts'
import { inputCases } from './liveness/input.ts'
import { listCases } from './liveness/lists.ts'
import { manyBeatCases } from './liveness/many-beats.ts'
import { muteCases } from './liveness/mutes.ts'
import { outageCases } from './liveness/outages.ts'
import { scopeCases } from './liveness/scopes.ts'
import { uptimeCases } from './liveness/uptime.ts'
import { wakingCases } from './liveness/waking.ts'

/** What every engine must show of liveness. */
export const livenessSuite: Suite = {
  name: 'liveness',
  schemas: [outboxSchema, livenessSchema],
  cases: [
    ...beatCases,
    ...manyBeatCases,
    ...outageCases,
    ...failureCases,
    ...changeCases,
    ...alertCases,
    ...muteCases,
    ...wakingCases,
    ...countCases,
    ...scopeCases,
    ...uptimeCases,
    ...listCases,
    ...clockCases,
    ...inputCases,
  ],
}
