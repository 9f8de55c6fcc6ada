import { test } from 'node:test'
import { hasCurl } from './clients.ts'
import { checkHistory } from './clients-check.ts'
import { tell } from './clients-story.ts'

const options = { everyMs: 400, checkMs: 250, downAfterMs: 2_000, rounds: 1 }

test('fifty devices, a hub that is killed: the history says exactly what happened', {
  timeout: 120_000,
}, async (context) => {
  if (!hasCurl) context.diagnostic('there is no curl here: without the device that is a shell loop')
  checkHistory(await tell(context, options), options)
})
