import { type ExceptionIdentity, identifyException } from './exceptions.ts'
import { maskMessage } from './mask.ts'
import { exceptionsOf, messageOf, textOf } from './reading.ts'
import type { FingerprintBasis, FingerprintInput } from './types.ts'

/** What a computed key is made of. */
export interface Parts {
  readonly basis: Exclude<FingerprintBasis, 'explicit'>
  /** In order; the key is a hash of all of them. */
  readonly parts: readonly string[]
  readonly masked?: string
}

/** One version of the rules. A version that has been published is never changed: its keys are in people's databases. */
export interface Recipe {
  readonly version: number
  parts(event: FingerprintInput): Parts
}

/**
 * Version 1.
 *
 * The source is a part: "connection refused" from billing and from search are two troubles, and two projects that share a
 * helper function do not share its errors. It is masked, so that `worker-3` and `worker-4`, or two pods of one deployment,
 * are one source. The level is no part: the same trouble logged once as a warning and then as an error is the same
 * trouble. URL and transaction are none, because one trouble shows itself on many pages.
 */
const first: Recipe = {
  version: 1,
  parts(event) {
    const source = sourceOf(event)
    const exception = identifyException(exceptionsOf(event))
    if (exception !== undefined) return fromException(source, exception)
    const masked = maskMessage(messageOf(event))
    return { basis: 'message', parts: [source, masked], masked }
  },
}

function fromException(source: string, { type, value, frames }: ExceptionIdentity): Parts {
  if (frames.length > 0) return { basis: 'frames', parts: [source, type, ...frames] }
  const masked = maskMessage(value)
  return { basis: 'exception', parts: [source, type, masked], masked }
}

const plainSource = /^[A-Za-z_-]{0,64}$/

function sourceOf(event: FingerprintInput): string {
  const source = textOf(event.source)
  return plainSource.test(source) ? source : maskMessage(source)
}

/** All versions that keys may have been made with, the current one first. */
export const recipes: readonly [Recipe, ...Recipe[]] = [first]
