import { maskNumbers } from './filenames.ts'

const longest = 256
const anonymous = new Set([
  '?',
  '<anonymous>',
  '(anonymous)',
  'anonymous',
  '<unknown>',
  'unknown',
  '<lambda>',
  'eval',
  'Anonymous function',
])

/**
 * The name of a function without what compilers and runtimes put into it: `async Cart.total [as sum]` is `Cart.total`,
 * `lambda$run$12` is `lambda$run$<num>`, `billing::charge::h1f0e2d3c4b5a6978` is `billing::charge`. Empty for a
 * function without a name.
 */
export function normaliseFunction(name: string): string {
  const trimmed = /^[A-Za-z0-9_.]*$/.test(name) ? name.slice(0, longest) : withoutDecoration(name)
  if (anonymous.has(trimmed)) return ''
  const last = trimmed.slice(trimmed.lastIndexOf('.') + 1)
  if (anonymous.has(last) && trimmed.startsWith('Object.')) return ''
  return maskNumbers(trimmed)
}

function withoutDecoration(name: string): string {
  return name
    .slice(0, longest)
    .replace(/^(?:async |new |get |set |static )+/, '')
    .replace(/ \[as [^\]]*\]$/, '')
    .replace(/ \[clone [^\]]*\]$/, '')
    .replace(/::h[0-9a-f]{16}$/, '')
    .replace(/\$\$.*$/, '')
    .trim()
}
