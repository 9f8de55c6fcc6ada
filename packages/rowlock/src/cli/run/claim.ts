import { UnavailableError } from '@rowlock/core'
import type { Claim, CompleteOutcome, Lost, ReleaseOutcome, RenewOutcome } from '@rowlock/core/claims'
import { CommandError } from '../failure.ts'
import type { OverHttp } from '../output/http.ts'
import type { Api } from '../target/api.ts'

export type Won = OverHttp<Claim>
export type NotWon = OverHttp<Lost>

/** The verbs of one claim, each asked again for a while when it could not be asked. */
export interface Claiming {
  /** @throws UnavailableError when nobody could be asked within `patienceMs`. */
  acquire(key: string, ttlMs: number): Promise<Won | NotWon>
  /** One try. */
  renew(claim: Won, ttlMs: number): Promise<OverHttp<RenewOutcome>>
  complete(claim: Won, result: object): Promise<OverHttp<CompleteOutcome>>
  release(claim: Won): Promise<OverHttp<ReleaseOutcome>>
}

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 2_000

export function createClaiming(api: Api, patienceMs: number): Claiming {
  const patiently = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const until = performance.now() + patienceMs
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      try {
        return await ask()
      } catch (error) {
        if (!isPassing(error) || performance.now() + pause > until) throw error
        await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)))
      }
    }
  }
  return {
    acquire(key, ttlMs) {
      // The same id at every try: a win whose answer was lost is found again, not lost to ourselves.
      const id = crypto.randomUUID()
      return patiently(() => api.post('/api/claims/acquire', { key, ttl: ttlMs, id }))
    },
    renew: ({ key, token }, ttlMs) => api.post('/api/claims/renew', { key, token, ttl: ttlMs }),
    complete: ({ key, token }, result) =>
      patiently(() => api.post('/api/claims/complete', { key, token, result })),
    release: ({ key, token }) => patiently(() => api.post('/api/claims/release', { key, token })),
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof UnavailableError || (error instanceof CommandError && error.retryable)
}
