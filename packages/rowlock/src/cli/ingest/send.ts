import { UnavailableError } from '@rowlock/core'
import { CommandError } from '../failure.ts'
import type { Api } from '../target/api.ts'
import { refusalOf } from '../target/refusal.ts'
import { type Batch, halves } from './batch.ts'
import type { Patience } from './patience.ts'
import type { EventAnswer, Tally } from './tally.ts'

export interface SendOptions {
  readonly api: Api
  /** The project's number or name, where the token does not say it. */
  readonly project: string | number | undefined
  readonly tally: Tally
  readonly patience: Patience
  /** Ends everything at once. */
  readonly signal: AbortSignal
}

/** One request is given up after this time and made again. */
const REQUEST_MS = 60_000

/**
 * Sends one batch until it is answered, and counts the answers. Events keep their ids, so a try whose
 * answer was lost is never counted a second time.
 * @throws UnavailableError when patience ends, CommandError for a refusal that asking again won't change.
 */
export async function sendBatch(batch: Batch, options: SendOptions): Promise<void> {
  const { api, project, tally, patience, signal } = options
  const body = batch.lines.join('\n')
  for (let tries = 0, again = false; ; tries++) {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)])
      const response = await api.send('POST', '/api/events', {
        query: { project },
        body,
        type: NDJSON,
        signal: limit,
      })
      if (response.ok) {
        const { items } = (await response.json()) as { items: readonly EventAnswer[] }
        patience.answered()
        return tally.answer(items, batch.places, again)
      }
      if (response.status === 413) return await sendInParts(batch, options)
      const refusal = await refusalOf(response, api.place)
      if (!isPassing(response.status)) throw explained(refusal, project)
      // The database may have kept what the hub could not confirm.
      again ||= response.status >= 500
      await patience.wait(tries, refusal, waitOf(response))
    } catch (error) {
      if (signal.aborted || error instanceof CommandError) throw error
      if (error instanceof UnavailableError && error.applied === 'no') await patience.wait(tries, error)
      else {
        again = true
        await patience.wait(tries, error as Error)
      }
    }
  }
}

const NDJSON = 'application/x-ndjson'

async function sendInParts(batch: Batch, options: SendOptions): Promise<void> {
  if (batch.lines.length === 1) {
    options.tally.reject({ place: batch.places[0] ?? '', reason: 'larger than the hub takes (--max-body)' })
    return
  }
  for (const half of halves(batch)) await sendBatch(half, options)
}

function isPassing(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500
}

/** How long the hub asks to be left alone, ms. */
function waitOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0
}

function explained(refusal: CommandError, project: string | number | undefined): CommandError {
  if (refusal.code !== 'FORBIDDEN' || project !== undefined) return refusal
  const { message, exitCode } = refusal
  return new CommandError('FORBIDDEN', message, {
    exitCode,
    hint: '--project NAME, or the project’s ingest key as --token',
  })
}
