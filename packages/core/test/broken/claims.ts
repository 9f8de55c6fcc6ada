import type { Driver, Row, Statement } from '../../src/port/driver.ts'

/**
 * Claims as they are often written, each wrong in its own way. Every twin is a driver that turns our
 * statement into the wrong one on its way to the database; the suite must reject each.
 */
export interface Twin {
  /** What is wrong with it. */
  readonly name: string
  /** A case of the suite that has to fail on it. */
  readonly caughtBy: string
  wrap(driver: Driver): Driver
}

export const twins: readonly Twin[] = [
  {
    name: 'do nothing, for ever: the first winner keeps the key, whatever happens to it',
    caughtBy: 'a window is won in every window, not once and for ever',
    wrap: rewriting('claims.acquire', /do update set[\s\S]*?(?=returning)/, 'do nothing '),
  },
  {
    name: 'no condition behind the update: whoever comes takes the key over',
    caughtBy: 'a key is held to the exact end of its window, and free one millisecond later',
    wrap: rewriting('claims.acquire', /where \("rowlock_claims"[\s\S]*?(?=returning)/, ''),
  },
  {
    name: 'rows without a time are shut out: nobody ever wins what was there before',
    caughtBy: 'rows without a claim, and old winners without an end, are won once',
    wrap: rewriting('claims.acquire', /"rowlock_claims"\."(claimed_at|expires_at)" is null or /g, ''),
  },
  {
    name: 'less or equal: at the exact end of a window there are two holders',
    caughtBy: 'a key is held to the exact end of its window, and free one millisecond later',
    wrap: rewriting('claims.acquire', /("expires_at") < /, '$1 <= '),
  },
  {
    name: 'the sender’s time: a node whose clock is an hour ahead takes every claim over',
    caughtBy: 'the clock that judges is the database’s own, read by the statement',
    wrap: withItsOwnClock,
  },
  {
    name: 'renewing without the token: who was overtaken makes the next one’s window longer',
    caughtBy: 'whoever was overtaken cannot renew, complete or free the next one’s claim',
    wrap: withoutToken('claims.renew'),
  },
  {
    name: 'freeing without the token: who was overtaken frees the next one’s claim',
    caughtBy: 'whoever was overtaken cannot renew, complete or free the next one’s claim',
    wrap: withoutToken('claims.release'),
  },
  {
    name: 'a guard without the token: who was overtaken writes on',
    caughtBy:
      'a batch under a guard writes nothing once the claim has run out, was taken over, freed or completed',
    wrap: withoutToken('claims.guard'),
  },
  {
    name: 'the token starts anew with each row: a swept key gives a number twice',
    caughtBy: 'no token is given twice, not even when the row was swept in between',
    wrap: rewriting('claims.sweep', /and coalesce\("rowlock_claims"."token", 0\) < \([\s\S]*?\)\)/g, ''),
  },
  {
    name: 'a window of the sender’s length: a short ttl takes a long claim over',
    caughtBy:
      'a caller with a short ttl does not take a long claim over, and one with a long ttl does not wait longer',
    wrap: rewriting('claims.acquire', /("rowlock_claims")."expires_at" < /, '$1."claimed_at" + 1 < '),
  },
  {
    name: 'select, then write: between the two everybody else has looked as well',
    caughtBy: 'of 64 racers one wins each key, and one again after the window',
    wrap: selectThenWrite,
  },
  {
    name: 'a count of intentions: what was asked for is reported as won',
    caughtBy: 'many keys are claimed each by itself, with one answer for each input in its place',
    wrap: countingIntentions,
  },
]

/**
 * Rewrites one statement on Rowlock's own table.
 * @throws where there is nothing to rewrite: a twin that is no twin would prove nothing.
 */
function rewriting(name: string, from: RegExp, to: string): Twin['wrap'] {
  return (driver) =>
    through(driver, (statement) => {
      const { text, values } = statement
      if (statement.name !== name || !text.includes('"rowlock_claims"')) return statement
      const left = [...values]
      const changed = text.replace(from, (piece, ...rest) => {
        const index = rest.find((each) => typeof each === 'number') as number
        const [group = ''] = rest as [string | undefined]
        const filled = to.replace('$1', group)
        // The values of the parameters that go with the piece.
        const taken = count(piece) - count(filled)
        left.splice(count(text.slice(0, index)) - (values.length - left.length), taken)
        return filled
      })
      if (changed === text) throw new Error(`${name} does not hold ${from}`)
      return { ...statement, text: changed, values: left }
    })
}

function count(text: string): number {
  return text.split('?').length - 1
}

function withoutToken(name: string): Twin['wrap'] {
  return rewriting(name, /"rowlock_claims"."token" = \?/, '1 = 1')
}

function withItsOwnClock(driver: Driver): Driver {
  const [clock] = driver.dialect.clock.pieces as string[]
  const text = (given: string) => given.replaceAll(clock!, String(Date.now() + 3_600_000))
  return through(driver, (statement) =>
    statement.name.startsWith('claims.') ? { ...statement, text: text(statement.text) } : statement,
  )
}

function selectThenWrite(driver: Driver): Driver {
  const blind = rewriting('claims.acquire', /where \("rowlock_claims"[\s\S]*?(?=returning)/, '')(driver)
  return {
    ...driver,
    async execute(statement) {
      if (statement.name !== 'claims.acquire') return driver.execute(statement)
      const [key] = statement.values
      const text = 'select expires_at from rowlock_claims where key = ? and claimed_at is not null'
      const [row] = await driver.execute({ name: 'twin.look', text, values: [key!] })
      const now = Number(statement.values.find((value) => Number(value) >= 1000))
      return row !== undefined && Number(row.expires_at) >= now ? [] : blind.execute(statement)
    },
  }
}

function countingIntentions(driver: Driver): Driver {
  return {
    ...driver,
    async execute(statement): Promise<Row[]> {
      const rows = await driver.execute(statement)
      if (statement.name !== 'claims.acquireMany') return rows
      const keys = JSON.parse(statement.values.find((value) => /^\[/.test(String(value))) as string)
      return (keys as string[]).map((key) => ({ ...rows[0]!, key }))
    },
  }
}

function through(driver: Driver, change: (statement: Statement) => Statement): Driver {
  return {
    ...driver,
    execute: async (statement) => driver.execute(change(statement)),
    batch: async (statements) => driver.batch(statements.map(change)),
  }
}
