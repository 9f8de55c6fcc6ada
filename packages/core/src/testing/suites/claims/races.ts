import { claimsSchema } from '../../../claims/index.ts'
import { equal } from '../../assert.ts'
import type { Suite } from '../../suite.ts'
import { claimsOn, wins } from './given.ts'

const KEYS = 900
const RACERS = 64

/** The race at full length, for long test runs: 64 racers on each of 900 keys. */
export const claimsRaces: Suite = {
  name: 'claims, races',
  schemas: [claimsSchema],
  cases: [
    {
      name: `of ${RACERS} racers one wins each of ${KEYS} keys; of a tenth of them nobody within the window, one after it`,
      async run({ driver }) {
        const claims = claimsOn(driver, { lookFirst: undefined })
        for (const [now, winners, keys] of [
          [1000, 1, KEYS],
          [1100, 0, KEYS / 10],
          [1101, 1, KEYS / 10],
        ] as const) {
          for (let key = 0; key < keys; key++) {
            const racers = Array.from({ length: RACERS }, () => claims.acquire(`key ${key}`, { now }))
            equal(wins(await Promise.all(racers)), winners, `key ${key} at ${now}`)
          }
        }
      },
    },
  ],
}
