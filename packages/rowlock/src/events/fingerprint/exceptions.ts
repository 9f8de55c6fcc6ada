import { maskNumbers } from './filenames.ts'
import { ownFrames } from './frames.ts'
import { textOf } from './reading.ts'
import type { ExceptionValue } from './types.ts'

/** What tells one exception from another. */
export interface ExceptionIdentity {
  /** The type, and those of its causes behind it. */
  readonly type: string
  readonly value: string
  readonly frames: readonly string[]
}

const CAUSES = 8

/**
 * What identifies the exceptions of an event, or undefined if none has a type: senders attach a made-up exception to a plain
 * message in order to send a stack, which is the stack of the logging call.
 *
 * The last exception of the chain is the one that was caught. Its frames are taken, or those of the nearest cause that has
 * frames of the application's own.
 */
export function identifyException(exceptions: readonly ExceptionValue[]): ExceptionIdentity | undefined {
  if (exceptions.length === 0) return undefined
  const chain = exceptions.filter(isReal).slice(-CAUSES).reverse()
  const caught = chain[0]
  if (caught === undefined) return undefined
  let frames: readonly string[] = []
  for (const { stacktrace } of chain) {
    if (Array.isArray(stacktrace?.frames)) frames = ownFrames(stacktrace.frames)
    if (frames.length > 0) break
  }
  const types = chain.map((value) => maskNumbers(textOf(value.type).slice(0, 256)))
  return { type: types.join('<'), value: textOf(caught.value), frames }
}

function isReal(value: ExceptionValue): boolean {
  return textOf(value.type) !== '' && value.mechanism?.synthetic !== true
}
