import { isHex } from './addresses.ts'
import { placeholders } from './placeholders.ts'

/**
 * Masks the numbers of a name in code: those that stand alone between other characters (`$12`, `_3`, `v-2`), which
 * compilers hand out, and long ones. `sha256` and `oauth2Client` are names.
 */
export function maskNumbers(name: string): string {
  if (!/[0-9]/.test(name)) return name
  return name.replace(/(?<![A-Za-z0-9])[0-9]+|[0-9]{4,}/g, placeholders.number)
}

/** Folders above these say where a program is installed, not what it is. */
const FOLDERS = 2
const longest = 512

/**
 * A file name that is the same in the next build and on the next machine: the last folders and the name, without scheme,
 * host, query, and without the hash that bundlers put into the name. `https://cdn.example/assets/index-BfQ8a1xY.js?v=3`
 * becomes `assets/index.js`, `/srv/releases/20261201/billing/run.py` becomes `<num>/billing/run.py`.
 */
export function normaliseFilename(filename: string): string {
  const path = withoutOrigin(filename.slice(0, longest).replaceAll('\\', '/'))
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  const name = segments.pop() ?? ''
  const folders = segments.slice(-FOLDERS).map(normaliseFolder)
  return [...folders, normaliseName(name)].join('/')
}

/** Without `https://host:port`, `webpack://`, `file://`, and without query and fragment. */
function withoutOrigin(path: string): string {
  const scheme = path.indexOf('://')
  const start =
    scheme < 0 ? 0 : path.startsWith('http') ? Math.max(path.indexOf('/', scheme + 3), 0) : scheme + 3
  const end = path.slice(start).search(/[?#]/)
  return end < 0 ? path.slice(start) : path.slice(start, start + end)
}

function normaliseFolder(folder: string): string {
  return looksGenerated(folder) ? placeholders.number : maskNumbers(folder)
}

/** `main.8f3a2b1c.chunk.js` -> `main.chunk.js`, `index-BfQ8a1xY.js` -> `index.js`, `libfoo.so.1.2` -> `libfoo.so.<num>`. */
function normaliseName(name: string): string {
  const parts = name.split(/([.-])/)
  let kept = parts[0] ?? ''
  for (let index = 1; index + 1 < parts.length; index += 2) {
    const part = parts[index + 1] ?? ''
    const last = index + 2 >= parts.length
    if (last || !looksGenerated(part)) kept += `${parts[index]}${part}`
  }
  return maskNumbers(kept)
}

/**
 * Whether a part of a name is a hash: hexadecimal with a digit, from six digits on, or eight characters and more in which
 * digits, small and capital letters are mixed as no word mixes them.
 */
function looksGenerated(part: string): boolean {
  if (part.length < 6) return false
  if (/[0-9]/.test(part) && isHex(part, 0, part.length)) return true
  if (part.length < 8 || !/^[A-Za-z0-9_]+$/.test(part)) return false
  return /[0-9]/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part)
}

/** Whether names in this file are likely to be shortened by a bundler: they change with every build. */
export function isMinified(filename: string): boolean {
  const name = filename.slice(0, longest)
  if (!/\.[cm]?js/.test(name)) return false
  if (/[.-]min\.[cm]?js/.test(name) || name.includes('chunk')) return true
  const base = name.slice(name.lastIndexOf('/') + 1)
  return (
    /\.[cm]?js(?:$|[?#])/.test(base) && (/^https?:/.test(name) || base.split(/[.-]/).some(looksGenerated))
  )
}
