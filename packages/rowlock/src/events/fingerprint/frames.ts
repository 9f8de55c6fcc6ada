import { isMinified, maskNumbers, normaliseFilename } from './filenames.ts'
import { normaliseFunction } from './functions.ts'
import { isLibrary } from './libraries.ts'
import { textOf } from './reading.ts'
import type { StackFrame } from './types.ts'

/** So many of the innermost frames are looked at, and at most so many different ones count. */
const DEPTH = 256
const DIFFERENT = 32

/**
 * The frames of the application's own code, each as one line that is the same in the next build: module or file, and
 * function. No line and column numbers, which change with every edit above. The frame that threw comes first. Frames that
 * come again are left out, so that a recursion is the same at any depth.
 *
 * Empty if no frame says anything that lasts: no own code, or only shortened names of a bundle.
 */
export function ownFrames(frames: readonly (StackFrame | null)[]): readonly string[] {
  const lines = new Set<string>()
  let telling = false
  const marked = frames.some((frame) => frame?.in_app === true)
  for (let index = frames.length - 1; index >= Math.max(0, frames.length - DEPTH); index--) {
    const frame = frames[index]
    if (!frame || !isOwn(frame, marked)) continue
    const line = describe(frame)
    if (line.text === '') continue
    lines.add(line.text)
    telling ||= line.telling
    if (lines.size === DIFFERENT) break
  }
  return telling ? [...lines] : []
}

/** With any frame marked as own, only those; with none, those which are not marked as foreign and look like no library. */
function isOwn(frame: StackFrame, marked: boolean): boolean {
  if (marked) return frame.in_app === true
  return frame.in_app !== false && !isLibrary(textOf(frame.module), fileOf(frame))
}

function describe(frame: StackFrame): { readonly text: string; readonly telling: boolean } {
  const file = fileOf(frame)
  const minified = isMinified(file) || isMinified(textOf(frame.abs_path))
  const name = normaliseFunction(textOf(frame.function))
  const module = textOf(frame.module)
  const place = module !== '' && !minified ? normaliseModule(module) : normaliseFilename(file)
  // One or two letters in a bundle: another function has that name tomorrow.
  const kept = minified && name.replace(/[^.]*\./, '').length <= 2 ? '' : name
  if (place === '' && kept === '') return { text: '', telling: false }
  return { text: `${place}#${kept}`, telling: kept !== '' || (!minified && place !== '') }
}

/** Classes that the JVM makes while it runs carry numbers: `Billing$$EnhancerBySpringCGLIB$$1a2b3c`, `$Proxy42`. */
function normaliseModule(module: string): string {
  return maskNumbers(
    module
      .slice(0, 512)
      .replace(/\$\$.*$/, '')
      .replace(/\$Proxy[0-9]+/, '$$Proxy'),
  )
}

function fileOf(frame: StackFrame): string {
  return textOf(frame.filename) || textOf(frame.abs_path)
}
