import { exits } from '../exit.ts'
import { CommandError, exitOfCode } from '../failure.ts'
import type { Place } from './api.ts'

/** The hub's problem+json, as far as it is one: a proxy in between answers in its own way. */
interface Problem {
  readonly code?: unknown
  readonly detail?: unknown
  readonly accepted?: unknown
  readonly retryable?: unknown
}

/** A refusal as the error to throw. */
export async function refusalOf(response: Response, place: Place): Promise<CommandError> {
  const problem = await readProblem(response)
  const { code, detail, accepted, retryable } = problem
  if (typeof code !== 'string' || typeof detail !== 'string') return fromProxy(response, place)
  const isInput = typeof accepted === 'string'
  return new CommandError(code, isInput ? detail.replace(`; accepted: ${accepted}`, '') : detail, {
    exitCode: exitOfCode[code] ?? exitOfStatus(response.status),
    retryable: retryable === true,
    ...(isInput ? { accepted } : {}),
    ...hintFor(code, place),
  })
}

function hintFor(code: string, { kind }: Place): { hint?: string } {
  if (kind === 'database') return {}
  if (code === 'UNAUTHENTICATED')
    return { hint: '--token or ROWLOCK_TOKEN; on the hub’s machine rowlock token add makes one' }
  if (code === 'FORBIDDEN') return { hint: 'a token with more scopes: rowlock token add NAME --scopes …' }
  return {}
}

async function readProblem(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => '')
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

function fromProxy({ status }: Response, { name }: Place): CommandError {
  return new CommandError('HTTP', `${name} answered with status ${status}, and not as a Rowlock hub does`, {
    exitCode: exitOfStatus(status),
    hint: 'is the address right? A hub says "ok" at /healthz',
    retryable: status >= 500,
  })
}

function exitOfStatus(status: number): number {
  if (status === 401 || status === 403) return exits.denied
  if (status === 404) return exits.missing
  return status === 429 || status >= 500 ? exits.unavailable : exits.failed
}
