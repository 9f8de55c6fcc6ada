import type { Claims } from '../../../src/claims/index.ts'
import type { ClaimsModel } from '../../../src/claims/model.ts'

/**
 * Everything that two holders can do with two keys at three instants around one window: inside it,
 * at its exact end, one millisecond later.
 */
export interface Operation {
  readonly name: string
  onSql(claims: Claims, tokens: Tokens): Promise<unknown>
  onModel(model: ClaimsModel, tokens: Tokens): unknown
}

/** The last token that each holder was given for each key. */
export type Tokens = Map<string, number>

const TTL = 100
const LONG_TTL = 1000
export const INSTANTS = [1000, 1100, 1101] as const
const HOLDERS = ['anna', 'ben'] as const
const KEYS = ['a', 'b'] as const

export const operations: readonly Operation[] = INSTANTS.flatMap((now) => [
  ...HOLDERS.flatMap((holder) =>
    KEYS.flatMap((key) => [
      // Ben asks for longer windows than Anna: his ttl must not end hers.
      acquire(key, holder, holder === 'anna' ? TTL : LONG_TTL, now),
      renew(key, holder, now),
      complete(key, holder, now),
      release(key, holder, now),
      guard(key, holder, now),
    ]),
  ),
  ...HOLDERS.map((holder) => acquireMany(holder, now)),
  sweep(now),
  look(now),
])

/** The part of them that is about one key. */
export const fewer = operations.filter(({ name }) => !/ b |many|list/.test(name))

function acquire(key: string, holder: string, ttl: number, now: number): Operation {
  const by = { holder, ttl, now }
  return {
    name: `${holder} acquires ${key} at ${now}`,
    onSql: (claims, tokens) => claims.acquire(key, by).then((outcome) => keep(tokens, holder, outcome)),
    onModel: (model, tokens) => keep(tokens, holder, model.acquire(key, by)),
  }
}

function acquireMany(holder: string, now: number): Operation {
  const by = { holder, ttl: TTL, now }
  const keys = ['b', 'a', 'b']
  return {
    name: `${holder} acquires many at ${now}`,
    onSql: async (claims, tokens) =>
      (await claims.acquireMany(keys, by)).map((outcome) => keep(tokens, holder, outcome)),
    onModel: (model, tokens) => model.acquireMany(keys, by).map((outcome) => keep(tokens, holder, outcome)),
  }
}

function renew(key: string, holder: string, now: number): Operation {
  const by = { ttl: TTL, now }
  return change(`${holder} renews ${key} at ${now}`, key, holder, {
    onSql: (claims, claim) => claims.renew(claim, by),
    onModel: (model, claim) => model.renew(claim, by),
  })
}

function complete(key: string, holder: string, now: number): Operation {
  const by = holder === 'anna' ? { now } : { now, keepFor: TTL }
  return change(`${holder} completes ${key} at ${now}`, key, holder, {
    onSql: (claims, claim) => claims.complete(claim, { by: holder }, by),
    onModel: (model, claim) => model.complete(claim, { by: holder }, by),
  })
}

function release(key: string, holder: string, now: number): Operation {
  return change(`${holder} releases ${key} at ${now}`, key, holder, {
    onSql: (claims, claim) => claims.release(claim, { now }),
    onModel: (model, claim) => model.release(claim, { now }),
  })
}

function guard(key: string, holder: string, now: number): Operation {
  return change(`${holder} guards ${key} at ${now}`, key, holder, {
    onSql: (claims, claim) =>
      claims
        .renew(claim, { ttl: TTL, now, also: [claims.guard(claim, { now })] })
        .then(({ renewed }) => renewed),
    onModel: (model, claim) => model.guard(claim, { now }) && model.renew(claim, { ttl: TTL, now }).renewed,
  })
}

function sweep(now: number): Operation {
  const by = { olderThan: 1, now }
  return {
    name: `sweep at ${now}`,
    onSql: (claims) => claims.sweep(by),
    onModel: (model) => model.sweep(by),
  }
}

function look(now: number): Operation {
  return {
    name: `list at ${now}`,
    onSql: (claims) => claims.list({ now }),
    onModel: (model) => model.list({ now }),
  }
}

interface Change {
  onSql(claims: Claims, claim: { key: string; token: number }): Promise<unknown>
  onModel(model: ClaimsModel, claim: { key: string; token: number }): unknown
}

/** A change under the last token that the holder had for the key, or under one that nobody had. */
function change(name: string, key: string, holder: string, { onSql, onModel }: Change): Operation {
  const claimOf = (tokens: Tokens) => ({ key, token: tokens.get(`${holder} ${key}`) ?? 1 })
  return {
    name,
    onSql: (claims, tokens) => onSql(claims, claimOf(tokens)),
    onModel: (model, tokens) => onModel(model, claimOf(tokens)),
  }
}

function keep<Outcome>(tokens: Tokens, holder: string, outcome: Outcome): Outcome {
  const { won, key, token } = outcome as { won: boolean; key: string; token: number }
  if (won) tokens.set(`${holder} ${key}`, token)
  return outcome
}
