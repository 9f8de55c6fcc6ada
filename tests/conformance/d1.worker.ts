import type { D1Database } from '@rowlock/core/d1'
import { collect, conformance } from '@rowlock/core/testing'
import { d1Engine } from './d1-engine.ts'

/**
 * The suites inside Cloudflare's runtime, against the D1 binding itself. `/cases` tells how many there
 * are, `/cases/3` runs one.
 */
export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const { test, cases } = collect()
    conformance(d1Engine(env.DB), { test })
    const [, , index] = new URL(request.url).pathname.split('/')
    if (index === undefined) return Response.json(cases.map(({ name }) => name))
    return Response.json(await cases[Number(index)]!.run())
  },
}
