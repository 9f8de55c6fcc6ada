import { atomic, type Driver, type Statement, sql } from '@rowlock/core'
import { createClaims } from '@rowlock/core/claims'
import { type Actor, assert, type ExploreOptions, type Finished } from '@rowlock/core/testing'
import { livenessScenarios } from './liveness-scenarios.ts'

/** Explored whole in memory, and in samples where an engine has a guard path of its own. */
export type Scenario = Pick<
  ExploreOptions,
  'actors' | 'setup' | 'invariant' | 'observe' | 'mustSee' | 'crash'
>

const say = (name: string, text: string): Statement => ({ name, text, values: [] })

const answerOf = ({ outcomes }: Finished, actor: string) => {
  const outcome = outcomes[actor]
  return outcome?.state === 'returned' ? outcome.value : outcome?.state
}

/** One after the other: a batch of guards in which the second fails must undo the first. */
const move =
  (amount: number, to: string): Actor =>
  async (driver) => {
    const moved = await atomic(driver)
      .write(sql`update accounts set balance = balance + ${amount} where id = ${to} returning id`, {
        expect: 1,
        name: 'credit',
      })
      .write(
        sql`update accounts set balance = balance - ${amount} where id = 'purse' and balance >= ${amount} returning id`,
        { expect: 1, name: 'debit' },
      )
      .commit()
    return moved.ok ? 'moved' : moved.reason === 'condition' ? moved.failed.name : moved.reason
  }

/** Two want 60 out of a purse of 100, each with a look at the balance before and behind. */
const purse: Scenario = {
  actors: { alice: looking(move(60, 'alice')), bob: looking(move(60, 'bob')) },
  crash: 'every',
  async setup(driver) {
    await driver.execute(
      say('setup', 'create table accounts (id text not null primary key, balance integer not null) strict'),
    )
    await driver.execute(say('setup', `insert into accounts values ('purse', 100), ('alice', 0), ('bob', 0)`))
  },
  async invariant(finished) {
    const rows = await finished.driver.execute(say('look', 'select id, balance from accounts order by id'))
    const [alice, bob, left] = rows.map(({ balance }) => Number(balance))
    assert.equal(alice! + bob! + left!, 100, 'money came or went')
    assert.ok(left === 100 || left === 40, `the purse holds ${left}`)
    for (const [actor, balance] of [['alice', alice] as const, ['bob', bob] as const]) {
      const answer = answerOf(finished, actor)
      if (answer === 'moved') assert.equal(balance, 60)
      if (answer === 'debit') assert.equal(balance, 0)
    }
  },
  observe: (finished) => ['alice', 'bob'].map((actor) => String(answerOf(finished, actor))),
  mustSee: ['moved', 'debit', 'unknown', 'killed'],
}

function looking(actor: Actor): Actor {
  return async (driver) => {
    await look(driver)
    const answer = await actor(driver)
    await look(driver)
    return answer
  }
}

/** A look whose answer is lost changes nothing. */
async function look(driver: Driver): Promise<void> {
  await driver.execute(say('look', 'select balance from accounts')).catch(() => {})
}

/** Work under a claim that another takes over when it has run out. */
const takeover: Scenario = {
  actors: {
    async worker(driver) {
      const work = say('work', `insert into work values ('first') returning by`)
      const guard = createClaims(driver).guard({ key: 'k', token: 1000 }, { now: 1100 })
      return driver.batch([work, guard]).then(
        () => 'done',
        (error) => error.code,
      )
    },
    async thief(driver) {
      const work = say('work', `insert into work values ('second') returning by`)
      const claims = createClaims(driver, { ttl: 100, lookFirst: false })
      const outcome = await claims.acquire('k', { now: 1101, also: [work] })
      return outcome.won ? 'won' : outcome.reason
    },
  },
  crash: 'every',
  async setup(driver) {
    const claims = createClaims(driver, { ttl: 100 })
    await claims.install()
    await driver.execute(say('setup', 'create table work (by text not null) strict'))
    await claims.acquire('k', { now: 1000, holder: 'worker' })
  },
  async invariant(finished) {
    const rows = await finished.driver.execute(say('look', 'select by from work order by rowid'))
    const order = rows.map(({ by }) => by).join()
    assert.ok(['', 'first', 'second', 'first,second'].includes(order), `work was written as ${order}`)
    if (answerOf(finished, 'worker') === 'GUARD_FAILED') assert.ok(!order.includes('first'))
    if (answerOf(finished, 'worker') === 'done') assert.ok(order.startsWith('first'))
  },
  observe: (finished) => ['worker', 'thief'].map((actor) => String(answerOf(finished, actor))),
  mustSee: ['done', 'GUARD_FAILED', 'won', 'killed'],
}

export const scenarios: Readonly<Record<string, Scenario>> = { purse, takeover, ...livenessScenarios }
