import { RowlockError } from '@rowlock/core'
import { Refusal } from './refusal.ts'

/** An error as RFC 9457 (problem+json) shows it, with our stable `code`. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly [extension: string]: unknown
}

const statusOfCode: Readonly<Record<string, readonly [status: number, title: string]>> = {
  INVALID_INPUT: [400, 'Invalid input'],
  NOT_FOUND: [404, 'Not found'],
  CONFLICT: [409, 'Conflict'],
  GUARD_FAILED: [409, 'A condition failed'],
  UNAVAILABLE: [503, 'The database could not be asked'],
  SCHEMA: [503, 'The database needs a migration'],
  ENGINE: [500, 'The database refused'],
}

const statusTitles: Readonly<Record<number, string>> = {
  400: 'Invalid input',
  401: 'Not signed in',
  403: 'Not allowed',
  405: 'Method not allowed',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Not taken',
  429: 'Too many requests',
}

/** Turns whatever was thrown into an answer. What is no error of ours tells its insides to the log only. */
export function problemOf(error: unknown): { problem: Problem; headers: Readonly<Record<string, string>> } {
  if (error instanceof Refusal) {
    return {
      problem: describe(error, error.status, statusTitles[error.status] ?? 'Refused'),
      headers: error.headers,
    }
  }
  if (error instanceof RowlockError) {
    const [status, title] = statusOfCode[error.code] ?? [500, 'Internal error']
    if (status === 500) return { problem: internal, headers: {} }
    const headers: Record<string, string> = status === 503 ? { 'retry-after': '5' } : {}
    return { problem: describe(error, status, title), headers }
  }
  return { problem: internal, headers: {} }
}

const internal: Problem = {
  type: 'urn:rowlock:problem:INTERNAL',
  title: 'Internal error',
  status: 500,
  detail: 'this is our fault; the hub’s log says more',
  code: 'INTERNAL',
}

function describe(error: RowlockError, status: number, title: string): Problem {
  const { details } = error
  return {
    type: `urn:rowlock:problem:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    ...(error.retryable ? { retryable: true } : {}),
    ...('field' in details ? { field: details.field, accepted: details.accepted } : {}),
  }
}

export function problemResponse(error: unknown, extra: Readonly<Record<string, string>> = {}): Response {
  const { problem, headers } = problemOf(error)
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...headers,
      ...extra,
    },
  })
}
