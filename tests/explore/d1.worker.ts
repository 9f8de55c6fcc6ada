import type { D1Database } from '@rowlock/core/d1'
import { explore } from '@rowlock/core/testing'
import { d1Engine } from '../conformance/d1-engine.ts'
import { scenarios } from './scenarios.ts'

/** `/purse` explores a sample of the orders of that scenario on D1 and answers with the report. */
export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const { mustSee: _, ...scenario } = scenarios[pathname.slice(1)]!
    const sample = Number(searchParams.get('sample'))
    const report = await explore({ ...scenario, engine: d1Engine(env.DB), sample, seed: 20_261_201 })
    return Response.json(report)
  },
}
