import { outboxSchema } from '../../outbox/index.ts'
import type { Suite } from '../suite.ts'
import { answerCases } from './outbox/answer.ts'
import { clockCases } from './outbox/clock.ts'
import { enqueueCases } from './outbox/enqueue.ts'
import { fairnessCases } from './outbox/fairness.ts'
import { inputCases } from './outbox/input.ts'
import { keepingCases } from './outbox/keeping.ts'
import { leaseCases } from './outbox/lease.ts'
import { orderCases } from './outbox/order.ts'

/** What every engine must show of the outbox. */
export const outboxSuite: Suite = {
  name: 'outbox',
  schemas: [outboxSchema],
  cases: [
    ...enqueueCases,
    ...leaseCases,
    ...fairnessCases,
    ...orderCases,
    ...answerCases,
    ...keepingCases,
    ...clockCases,
    ...inputCases,
  ],
}
