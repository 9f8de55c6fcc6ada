import { InvalidInputError } from '@rowlock/core'

/** What a token may do. `admin` holds all others; `ingest` only sends events, to its project. */
export const scopes = ['read', 'write', 'admin', 'ingest'] as const
export type Scope = (typeof scopes)[number]

/** Who is asking. The name is the holder of claims and the author of changes. */
export interface Identity {
  readonly tokenId: number
  readonly name: string
  readonly scopes: readonly Scope[]
  /** The only project this token reaches; null reaches all. */
  readonly project: number | null
}

/** Whether the token may do it: write holds read, admin holds all. */
export function allows(identity: Identity, wanted: Scope): boolean {
  const { scopes } = identity
  if (scopes.includes('admin') || scopes.includes(wanted)) return true
  return wanted === 'read' && scopes.includes('write')
}

/** @throws InvalidInputError for none, an unknown one, or one that is named twice. */
export function readScopes(given: unknown): readonly Scope[] {
  const accepted = `one or more of ${scopes.join(', ')}, each once`
  const list = typeof given === 'string' ? given.split(/[\s,]+/).filter((word) => word !== '') : given
  if (!Array.isArray(list) || list.length === 0) throw new InvalidInputError('scopes', 'is empty', accepted)
  const wrong = list.find((word, at) => !scopes.includes(word) || list.indexOf(word) !== at)
  if (wrong !== undefined) throw new InvalidInputError('scopes', `holds ${JSON.stringify(wrong)}`, accepted)
  return scopes.filter((scope) => list.includes(scope))
}
