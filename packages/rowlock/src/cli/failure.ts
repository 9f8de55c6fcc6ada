import { RowlockError } from '@rowlock/core'
import { exits } from './exit.ts'

/** An error that a command answers with: one message, what is accepted instead, and what to try. */
export class CommandError extends RowlockError {
  readonly exitCode: number
  readonly hint: string | undefined

  constructor(
    code: string,
    message: string,
    options: { exitCode: number; accepted?: string; hint?: string; retryable?: boolean; cause?: unknown },
  ) {
    const { exitCode, accepted, hint, ...rest } = options
    super(code, message, { ...rest, details: accepted === undefined ? {} : { accepted } })
    this.exitCode = exitCode
    this.hint = hint
  }
}

/** The command line is wrong. */
export function usageError(
  message: string,
  options: { accepted?: string; hint?: string } = {},
): CommandError {
  return new CommandError('USAGE', message, { exitCode: exits.usage, ...options })
}

/** A named thing is not there. */
export function missingError(message: string, hint?: string): CommandError {
  return new CommandError('NOT_FOUND', message, {
    exitCode: exits.missing,
    ...(hint === undefined ? {} : { hint }),
  })
}

/** An error as it is shown. */
export interface Failure {
  readonly code: string
  readonly message: string
  readonly accepted?: string
  readonly hint?: string
  readonly exitCode: number
}

export const exitOfCode: Readonly<Record<string, number>> = {
  INVALID_INPUT: exits.usage,
  NOT_FOUND: exits.missing,
  CONFLICT: exits.failed,
  UNAVAILABLE: exits.unavailable,
  UNAUTHENTICATED: exits.denied,
  FORBIDDEN: exits.denied,
  TOO_MANY_REQUESTS: exits.unavailable,
  SCHEMA: exits.schema,
}

/** Turns whatever was thrown into what a person can act on. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof RowlockError)) return fromElsewhere(error)
  const { accepted, problem, field } = error.details
  const own = error instanceof CommandError ? error : undefined
  const hint = own?.hint ?? hintOf(error.code)
  const isSplit = typeof accepted === 'string' && typeof field === 'string' && typeof problem === 'string'
  return {
    code: error.code,
    message: isSplit ? `${field} ${problem}` : error.message,
    exitCode: own?.exitCode ?? exitOfCode[error.code] ?? exits.internal,
    ...(typeof accepted === 'string' ? { accepted } : {}),
    ...(hint === undefined ? {} : { hint }),
  }
}

function hintOf(code: string): string | undefined {
  if (code === 'SCHEMA') return 'rowlock migrate brings the tables up to date; rowlock doctor tells more'
  if (code === 'UNAUTHENTICATED')
    return 'give a token with --token or ROWLOCK_TOKEN; rowlock token add makes one'
  return undefined
}

const fileProblems: Readonly<Record<string, readonly [problem: string, exitCode: number]>> = {
  ENOENT: ['does not exist', exits.missing],
  ENOTDIR: ['is not below a folder', exits.missing],
  EISDIR: ['is a folder', exits.missing],
  EACCES: ['may not be opened by this user', exits.denied],
  EPERM: ['may not be changed by this user', exits.denied],
  EROFS: ['is on a read-only disk', exits.unavailable],
  ENOSPC: ['could not be written: the disk is full', exits.unavailable],
}

function fromElsewhere(error: unknown): Failure {
  const { code = '', path, message = String(error) } = error as NodeJS.ErrnoException
  const [problem, exitCode] = fileProblems[code] ?? []
  if (problem !== undefined && exitCode !== undefined && path !== undefined) {
    return { code, message: `${path} ${problem}`, exitCode }
  }
  return {
    code: 'INTERNAL',
    message,
    exitCode: exits.internal,
    hint: 'add --debug to see where it comes from',
  }
}
