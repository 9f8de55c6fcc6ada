import { explicitParts, isPlainKey, isStandIn } from './explicit.ts'
import { hash128 } from './hash.ts'
import { type Recipe, recipes } from './recipes.ts'
import { titleOf } from './titles.ts'
import type { Fingerprint, FingerprintInput, FingerprintOptions } from './types.ts'

/** The version of the rules that new keys are made with. */
export const FINGERPRINT_VERSION: number = recipes[0].version

/**
 * Names the issue that an event belongs to. In this order: the sender's own fingerprint, as it is; the stack frames of
 * the application's own code, with the exception's type; the exception's type and masked value; the masked message. The
 * source is part of every key but the sender's own (see `recipes.ts`).
 *
 * Never throws, whatever the strings hold; takes time in proportion to at most 8,192 code units of a message.
 *
 * @throws RangeError if `options.version` is none of the known ones.
 */
export function fingerprint(event: FingerprintInput, options: FingerprintOptions = {}): Fingerprint {
  return make(event, recipeOf(options.version))
}

/**
 * Every key the event's issue may be stored under, the current one first. After a change of rules an issue is looked up by
 * all of them, so that it keeps its history; a new one gets the first.
 */
export function lookupKeys(
  event: FingerprintInput,
): readonly { readonly key: string; readonly version: number }[] {
  return keysOf(event, recipes)
}

/** The key of the version before the current one, or undefined if there is none or the key has not changed. */
export function formerKey(event: FingerprintInput): string | undefined {
  return keysOf(event, recipes.slice(0, 2))[1]?.key
}

/** The different keys that these rules make, in their order. */
export function keysOf(
  event: FingerprintInput,
  versions: readonly Recipe[],
): readonly { readonly key: string; readonly version: number }[] {
  const keys = new Map<string, number>()
  for (const recipe of versions) {
    const { key, version } = make(event, recipe)
    if (!keys.has(key)) keys.set(key, version)
  }
  return [...keys].map(([key, version]) => ({ key, version }))
}

function recipeOf(version: number | undefined): Recipe {
  const recipe =
    version === undefined ? recipes[0] : recipes.find((candidate) => candidate.version === version)
  if (recipe === undefined) throw new RangeError(`No fingerprint rules have version ${version}`)
  return recipe
}

function make(event: FingerprintInput, recipe: Recipe): Fingerprint {
  const { version } = recipe
  const explicit = explicitParts(event)
  const title = titleOf(event, explicit?.join(' ') ?? '')
  if (explicit !== undefined) {
    return { key: explicitKey(event, explicit, recipe), version, basis: 'explicit', title }
  }
  const { basis, parts, masked } = recipe.parts(event)
  const key = keyOf([String(version), basis, ...parts])
  return masked === undefined ? { key, version, basis, title } : { key, version, basis, title, masked }
}

/** No version in it, unless it holds computed parts: what senders chose stays when our rules change. */
function explicitKey(event: FingerprintInput, explicit: readonly string[], recipe: Recipe): string {
  if (isPlainKey(explicit)) return explicit[0] as string
  if (!explicit.some(isStandIn)) return keyOf(['explicit', ...explicit])
  const { basis, parts } = recipe.parts(event)
  const computed = [String(recipe.version), basis, ...parts]
  return keyOf(['explicit', ...explicit.flatMap((part) => (isStandIn(part) ? computed : [part]))])
}

/** Each part with its length in front, so that no two lists of parts make the same text. */
function keyOf(parts: readonly string[]): string {
  let text = ''
  for (const part of parts) text += `${part.length}:${part}`
  return hash128(text)
}
