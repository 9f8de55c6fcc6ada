import { type D1Database, d1 } from '@rowlock/core/d1'
import { raceChecks, racer } from './liveness-rounds.ts'
import { KEYS, type Round, race, raceThrough } from './rounds.ts'

/** The race inside Cloudflare's runtime: `/single/40` with 40 keys, `/many/900` with 900; `/checks/60` 60 rounds of checks. */
export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const [, by, count] = new URL(request.url).pathname.split('/')
    const driver = d1(env.DB)
    if (by === 'checks') {
      const racers = [racer(driver), racer(driver)]
      await raceChecks(driver, (turn) => Promise.all(racers.map((run) => run(turn))), Number(count))
      return new Response('ok')
    }
    await raceThrough(driver, (round) => race([driver], round), {
      by: by as Round['by'],
      keys: KEYS.slice(0, Number(count)),
    })
    return new Response('ok')
  },
}
