import { InvalidInputError } from '@rowlock/core'
import { describe, plainText } from '@rowlock/core/module'

export const abouts = ['issues', 'outages'] as const

/** What a destination is called, and which of its project's notices it gets. */
export interface Audience {
  /** For people; null for none. */
  readonly name: string | null
  /** Only notices about issues, or only those about outages; null for both. */
  readonly only: (typeof abouts)[number] | null
  /** Of outages only those of devices with one of these tags; empty for all. */
  readonly tags: readonly string[]
}

export const everything: Audience = { name: null, only: null, tags: [] }
export const audienceFields: readonly string[] = ['name', 'only', 'tags']

const TAGS = 50

/** Fields left out stay as they were. @throws InvalidInputError naming the field. */
export function readAudience(given: Readonly<Record<string, unknown>>, before = everything): Audience {
  const { name, only, tags } = given
  return {
    name: name === undefined ? before.name : readName(name),
    only: only === undefined ? before.only : readOnly(only),
    tags: tags === undefined ? before.tags : readTags(tags),
  }
}

function readName(given: unknown): string | null {
  if (given === null || given === '') return null
  const name = plainText('name', given, 100)
  if (!/\p{Cc}/u.test(name)) return name
  throw new InvalidInputError('name', 'holds a control character', 'a text of one line')
}

function readOnly(given: unknown): Audience['only'] {
  const found = abouts.find((about) => about === given)
  if (found !== undefined) return found
  if (given === null) return null
  throw new InvalidInputError('only', `is ${describe(given)}`, `${abouts.join(', ')}, or null for both`)
}

function readTags(given: unknown): readonly string[] {
  if (given === null) return []
  if (!Array.isArray(given) || given.length > TAGS) {
    throw new InvalidInputError('tags', `is ${describe(given)}`, `a list of at most ${TAGS} tags`)
  }
  return [...new Set(given.map((tag) => plainText('tags', tag, 100)))]
}
