import { install, toSqlFiles } from '@rowlock/core'
import { type D1Database, d1 } from '@rowlock/core/d1'

/** Applies the files as a tool of Cloudflare's would, and then asks the installer what is left to do. */
export default {
  async fetch(_request: Request, env: { DB: D1Database & { exec(text: string): Promise<unknown> } }) {
    for (const { text } of toSqlFiles('sqlite')) await env.DB.exec(text)
    const { applied } = await install(d1(env.DB))
    return Response.json(applied)
  },
}
