import { type D1Database, d1 } from '@rowlock/core/d1'
import { KEYS, type Round, race, raceThrough } from './rounds.ts'

/** The race inside Cloudflare's runtime: `/single/40` with 40 keys, `/many/900` with 900. */
export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const [, by, count] = new URL(request.url).pathname.split('/')
    const driver = d1(env.DB)
    await raceThrough(driver, (round) => race([driver], round), {
      by: by as Round['by'],
      keys: KEYS.slice(0, Number(count)),
    })
    return new Response('ok')
  },
}
