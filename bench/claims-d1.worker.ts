import { type Claims, createClaims } from '@rowlock/core/claims'
import { type D1Database, d1 } from '@rowlock/core/d1'

/**
 * Runs inside Cloudflare's runtime: `/raw?count=500` does the raw statement so many times, `/win`,
 * `/loss` and `/many` the claims. The clock of a Worker stands still while it computes, so the time
 * is taken by the caller, over one request for all.
 */
const TTL_MS = 60_000
const RAW = `insert into rowlock_claims (key, claimed_at, expires_at, token, holder, state) values (?, ?, ?, ?, ?, 'held')
on conflict (key) do update set claimed_at = excluded.claimed_at, expires_at = excluded.expires_at,
  token = max(coalesce(token, 0) + 1, excluded.token), holder = excluded.holder
where claimed_at is null or coalesce(expires_at, 0) < excluded.claimed_at returning key, token, expires_at`

type Work = (binding: D1Database, claims: Claims, count: number, prefix: string) => Promise<void>

const works: Readonly<Record<string, Work>> = {
  async raw(binding, _claims, count, prefix) {
    for (let n = 0; n < count; n += 1) {
      const now = Date.now()
      const { results } = await binding
        .prepare(RAW)
        .bind(`raw-${prefix}-${n}`, now, now + TTL_MS, now, `holder-${n}`)
        .all()
      if (results.length !== 1) throw new Error('the raw statement did not win')
    }
  },
  async win(_binding, claims, count, prefix) {
    for (let n = 0; n < count; n += 1) {
      if (!(await claims.acquire(`key-${prefix}-${n}`, { ttl: TTL_MS })).won)
        throw new Error('a claim did not win')
    }
  },
  async loss(_binding, claims, count) {
    await claims.acquire('held', { ttl: TTL_MS * 60 })
    for (let n = 0; n < count; n += 1) {
      if ((await claims.acquire('held', { ttl: TTL_MS * 60 })).won) throw new Error('a held key was won')
    }
  },
  async many(_binding, claims, count, prefix) {
    for (let first = 0; first < count; first += 1000) {
      const keys = Array.from(
        { length: Math.min(1000, count - first) },
        (_, n) => `key-${prefix}-${first + n}`,
      )
      const outcomes = await claims.acquireMany(keys, { ttl: TTL_MS })
      if (!outcomes.every((outcome) => outcome.won)) throw new Error('a claim of many did not win')
    }
  },
}

export default {
  async fetch(request: Request, env: { DB: D1Database }): Promise<Response> {
    const url = new URL(request.url)
    const claims = createClaims(d1(env.DB))
    const work = works[url.pathname.slice(1)]
    if (work === undefined) await claims.install()
    else
      await work(env.DB, claims, Number(url.searchParams.get('count')), url.searchParams.get('prefix') ?? '')
    return new Response('done')
  },
}
