/**
 * Assertions that run wherever the suites do: in Node, inside a Worker, in a browser. They throw
 * plain errors whose message shows what was expected and what came.
 */

/** @throws when `value` is false, null, undefined, 0 or ''. */
export function ok(value: unknown, message = 'expected something true'): asserts value {
  if (!value) fail(`${message}; got ${show(value)}`)
}

/** Deep equality: plain objects and arrays by what they hold, everything else by Object.is. */
export function equal(actual: unknown, expected: unknown, message = 'not equal'): void {
  const path = difference(actual, expected, '')
  if (path === undefined) return
  const place = path === '' ? '' : ` (first difference at ${path})`
  fail(`${message}${place}\n  expected: ${show(expected)}\n  actual:   ${show(actual)}`)
}

/** What an error must look like: its `code`, its `details`, or any other of its properties. */
export interface ErrorShape {
  readonly code?: string
  readonly [property: string]: unknown
}

/** @returns the error, for a closer look. @throws when the promise resolves, or rejects with another error. */
export async function rejects(
  work: Promise<unknown> | (() => Promise<unknown>),
  shape: ErrorShape = {},
): Promise<unknown> {
  let value: unknown
  try {
    value = await (typeof work === 'function' ? work() : work)
  } catch (error) {
    return looksLike(error, shape)
  }
  fail(`expected ${show(shape)} to be thrown; the promise gave ${show(value)}`)
}

/** The same for code that throws at once. */
export function throws(work: () => unknown, shape: ErrorShape = {}): unknown {
  let value: unknown
  try {
    value = work()
  } catch (error) {
    return looksLike(error, shape)
  }
  fail(`expected ${show(shape)} to be thrown; the call gave ${show(value)}`)
}

/** Ends the case as failed. */
export function fail(message: string): never {
  throw new AssertionError(message)
}

/** What the assertions throw: told apart from an error of the code under test. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}

function looksLike(error: unknown, shape: ErrorShape): unknown {
  const object = Object(error) as Record<string, unknown>
  for (const [property, expected] of Object.entries(shape)) {
    if (difference(object[property], expected, '') !== undefined) {
      throw new AssertionError(
        `expected an error with ${property} ${show(expected)}; got ${show(object[property])} in: ${String(error)}`,
        { cause: error },
      )
    }
  }
  return error
}

/** The path of the first difference, '' for the values themselves, undefined when there is none. */
function difference(actual: unknown, expected: unknown, path: string): string | undefined {
  if (Object.is(actual, expected)) return undefined
  if (!isContainer(actual) || !isContainer(expected)) return path
  if (Array.isArray(actual) !== Array.isArray(expected)) return path
  const names = new Set([...Object.keys(actual), ...Object.keys(expected)])
  for (const name of names) {
    if (!(name in actual) || !(name in expected)) return `${path}.${name}`
    const found = difference(actual[name], expected[name], `${path}.${name}`)
    if (found !== undefined) return found
  }
  return undefined
}

function isContainer(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return (
    prototype === null ||
    prototype === Object.prototype ||
    Array.isArray(value) ||
    value instanceof Uint8Array
  )
}

/** A value as a message shows it. */
export function show(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  const text = JSON.stringify(value, (_key, inner) => {
    if (typeof inner === 'bigint') return `${inner}n`
    return inner === undefined || typeof inner === 'function' ? String(inner) : inner
  })
  return text === undefined ? String(value) : text
}
