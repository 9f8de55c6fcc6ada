import { ConflictError, InvalidInputError, NotFoundError, type Row } from '@rowlock/core'
import { plainText } from '@rowlock/core/module'
import type { Ground } from '../ground.ts'
import { allTokens, tokenByHash } from './queries.ts'
import type { TokenRow } from './rows.ts'
import { type Identity, readScopes, type Scope } from './scopes.ts'
import { hashOf, newToken, sameHash } from './secrets.ts'
import { tokenStatements } from './statements/tokens.ts'

/** What may be shown of a token. Its secret is known only to who was given it. */
export interface Token {
  readonly id: number
  readonly name: string
  readonly scopes: readonly Scope[]
  readonly project: number | null
  readonly createdAt: number
  readonly revokedAt: number | null
}

/** A token with its secret, which is shown this once and never again. */
export interface NewToken extends Token {
  readonly secret: string
}

export interface TokenOptions {
  readonly scopes: readonly Scope[] | string
  /** The only project it reaches; all of them by default. */
  readonly project?: number | null
}

export interface Tokens {
  /** @throws ConflictError when the name is taken, also by a revoked token: names stay in histories. */
  add(name: string, options: TokenOptions): Promise<NewToken>
  /** The admin token of a hub that has no token at all; undefined when there is one. */
  addFirst(secret?: string): Promise<NewToken | undefined>
  /** A new secret under the name, with these scopes; made if missing, alive again if revoked. The way back in. */
  reset(name: string, options: TokenOptions): Promise<NewToken>
  /** @throws NotFoundError when there is no such token, or it is revoked already. */
  revoke(name: string): Promise<Token>
  list(): Promise<Token[]>
  /** Whose secret this is; undefined for unknown and revoked ones. */
  identify(secret: string): Promise<Identity | undefined>
}

const NAME_LENGTH = 100
const SECRET = /^rowlock_[A-Za-z0-9_-]{43}$/

export function createTokens({ driver, reader, now }: Ground): Tokens {
  const statements = tokenStatements(driver.dialect)
  const prepare = async (name: string, options: TokenOptions) => {
    const scopes = readScopes(options.scopes)
    const secret = newToken()
    const values = {
      name: plainText('name', name, NAME_LENGTH),
      scopes: scopes.join(' '),
      project: options.project ?? null,
      hash: await hashOf(secret),
      now: now(),
    }
    return { secret, values }
  }
  return {
    async add(name, options) {
      const { secret, values } = await prepare(name, options)
      const [row] = await driver.execute(statements.add.with(values))
      if (row === undefined) throw new ConflictError(`there is already a token named ${name}`, { name })
      return { ...token(row as Row & TokenRow), secret }
    },
    async addFirst(secret = newToken()) {
      if (!SECRET.test(secret)) {
        throw new InvalidInputError('token', 'is malformed', '`rowlock_` and 43 characters of base64url')
      }
      const values = { hash: await hashOf(secret), now: now() }
      const [row] = await driver.execute(statements.addFirst.with(values))
      return row && { ...token(row as Row & TokenRow), secret }
    },
    async reset(name, options) {
      const { secret, values } = await prepare(name, options)
      const [row] = await driver.execute(statements.reset.with(values))
      return { ...token(row as Row & TokenRow), secret }
    },
    async revoke(name) {
      const [row] = await driver.execute(statements.revoke.with({ name, now: now() }))
      if (row === undefined) throw new NotFoundError(`a token named ${name} that is not revoked`)
      return token(row as Row & TokenRow)
    },
    list: async () => (await allTokens(reader)).map(token),
    async identify(secret) {
      if (!SECRET.test(secret)) return undefined
      const hash = await hashOf(secret)
      const row = await tokenByHash(reader, hash)
      return row !== undefined && sameHash(row.hash, hash) ? identityOf(row) : undefined
    },
  }
}

export function identityOf(row: TokenRow): Identity {
  const { id, name, scopes, project } = token(row)
  return { tokenId: id, name, scopes, project }
}

function token(row: TokenRow): Token {
  return {
    id: row.id,
    name: row.name,
    scopes: readScopes(row.scopes),
    project: row.project,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }
}
