import { test } from 'node:test'
import { checkHistory } from './clients-check.ts'
import { tell } from './clients-story.ts'

const options = { everyMs: 700, checkMs: 1_000, downAfterMs: 6_000, rounds: 4 }

test('fifty devices for longer than a minute, a hub that is killed eight times', {
  timeout: 300_000,
}, async (context) => {
  checkHistory(await tell(context, options), options)
})
