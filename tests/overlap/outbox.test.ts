import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Driver, Statement } from '@rowlock/core'
import {
  type AnswerOutcome,
  type ChangeOutcome,
  createOutbox,
  type EnqueueOutcome,
  type LeaseOutcome,
  type Outbox,
  type StoredMessage,
} from '@rowlock/core/outbox'
import { type ExploreReport, type Finished, overlap } from '@rowlock/core/testing'
import { overlapDatabase } from './connect.ts'

/** Every two verbs of the outbox in transactions that overlap. */

const database = await overlapDatabase()
after(() => database.drop())

const NOW = 1000
const options = { random: () => 0, firstDelay: 100 }
const message = (dedupKey: string, fields: object = {}) => ({
  topic: 't',
  destination: 'a',
  dedupKey,
  payload: null,
  ...fields,
})
const ordered = { orderingKey: 'o' }
/** Leased before, and over by now for a lease; whoever had it may still answer. */
const DOWN = { id: 1, token: 1, attempts: 1 }

async function setup(driver: Driver): Promise<void> {
  const outbox = createOutbox(driver, options)
  await outbox.install()
  await driver.execute({ name: 'setup', text: 'truncate rowlock_outbox restart identity', values: [] })
  await outbox.enqueue(message('down', ordered), { now: 10 })
  await outbox.lease({ limit: 1, ttl: 10, now: 10 })
  await outbox.enqueue([message('up', ordered), message('free'), message('gone'), message('old')], {
    now: 15,
  })
  for (const dedupKey of ['gone', 'old']) {
    const [row] = (await outbox.list({ dedupKey })).messages
    const text = `update rowlock_outbox set state = $1, token = 1, finished_at = 16 where id = $2`
    await driver.execute({ name: 'setup', text, values: [dedupKey === 'gone' ? 'dead' : 'sent', row!.id] })
  }
}

const verbs: Record<string, (outbox: Outbox) => Promise<unknown>> = {
  enqueue: (outbox) => outbox.enqueue([message('x'), message('y'), message('z')], { now: NOW }),
  'enqueue in the opposite order': (outbox) =>
    outbox.enqueue([message('z'), message('y'), message('x')], { now: NOW }),
  lease: (outbox) => outbox.lease({ limit: 10, ttl: 100, now: NOW }),
  sent: (outbox) => outbox.sent(DOWN, { now: NOW }),
  retry: (outbox) => outbox.retry(DOWN, { error: 'no', now: NOW }),
  cancel: (outbox) => outbox.cancel({ dedupKeys: ['down', 'free', 'up'] }, { now: NOW }),
  'cancel in the opposite order': (outbox) =>
    outbox.cancel({ dedupKeys: ['up', 'free', 'down'] }, { now: NOW }),
  redrive: (outbox) => outbox.redrive({ destination: 'a' }, { now: NOW }),
  sweep: (outbox) => outbox.sweep({ retention: 1, now: NOW }),
}

const names = Object.keys(verbs)

function together(
  one: string,
  other: string,
  change = (statement: Statement) => statement,
): Promise<ExploreReport> {
  const actor = (name: string) => (driver: Driver) => {
    const sent = { ...driver, execute: (statement: Statement) => driver.execute(change(statement)) }
    return verbs[name]!(createOutbox(sent, options))
  }
  return overlap({
    connect: database.connect,
    setup,
    actors: { one: actor(one), other: actor(other) },
    invariant: (finished) => check(finished, { one, other }),
  })
}

async function check({ driver, outcomes }: Finished, actors: Record<string, string>): Promise<void> {
  const { messages } = await createOutbox(driver, options).list()
  const row = (key: string) => messages.find(({ dedupKey }) => dedupKey === key)
  const told = (verb: string) =>
    Object.entries(actors).flatMap(([name, each]) => {
      const outcome = outcomes[name]!
      return each.startsWith(verb) && outcome.state === 'returned' ? [outcome.value] : []
    })
  const out = (told('lease') as LeaseOutcome[]).flatMap((outcome) => (outcome.ok ? outcome.messages : []))
  const taken = (told('cancel') as ChangeOutcome[]).flatMap((outcome) => (outcome.ok ? outcome.changed : []))
  const touched = [...out, ...taken].map(({ dedupKey }) => dedupKey)
  assert.deepEqual(touched, [...new Set(touched)], 'a message for two')
  for (const { dedupKey, token } of out) stillOut(row(dedupKey), token)
  if (touched.includes('up'))
    assert.ok(row('down')?.state !== 'leased' || taken.length > 0, 'up overtook down')
  assert.ok(!taken.some(({ dedupKey }) => dedupKey === 'down'), 'cancelled what had been leased')

  const enqueued = (told('enqueue') as EnqueueOutcome[]).flatMap((outcome) =>
    outcome.ok ? outcome.enqueued : [],
  )
  const fresh = messages.filter(({ dedupKey }) => /^[xyz]$/.test(dedupKey))
  assert.deepEqual(
    enqueued.map(({ id }) => id).sort(),
    fresh.map(({ id }) => id).sort(),
    'one row for each key',
  )

  for (const answer of [...told('sent'), ...told('retry')] as AnswerOutcome[]) {
    const after = row('down')
    if (!answer.ok) assert.notEqual(`${after?.state} ${after?.token}`, 'leased 1', 'lost what it had')
    else if (answer.state === 'sent') assert.ok(after === undefined || after.state === 'sent', 'said sent')
  }
}

function stillOut(row: StoredMessage | undefined, token: number): void {
  assert.ok(row?.token === token, 'leased under a token that is not there')
}

test('every two verbs that overlap: no message for two, no row twice, order kept, nobody in a circle', async (context) => {
  let pairs = 0
  let orders = 0
  let waited = 0
  for (const [index, one] of names.entries()) {
    for (const other of names.slice(index)) {
      const report = (await together(one, other).catch((error) => {
        throw new Error(`${one} and ${other}: ${error.message}`, { cause: error })
      })) as Awaited<ReturnType<typeof overlap>>
      pairs += 1
      orders += report.schedules
      waited += report.waited
    }
  }
  assert.ok(waited > 0, 'nobody ever waited')
  context.diagnostic(`${pairs} pairs, ${orders} orders, in ${waited} somebody waited, 0 violations`)
})

/** Statements that hold in every order of whole statements, and not when they overlap. */
const twins = [
  {
    name: 'a lease that looks only in its sub-select',
    statement: 'outbox.lease',
    change: (text: string) =>
      text
        .replace(' for no key update of o skip locked', '')
        .replace(/(where id in \(select id from picked\)) and .*/, '$1'),
    verbs: ['lease', 'lease'],
  },
  {
    name: 'a cancel that looks only in its sub-select',
    statement: 'outbox.cancel',
    change: (text: string) =>
      text
        .replace(/ order by id for no key update/, '')
        .replace(/(where id in \(select id from picked\)) and .*/, '$1'),
    verbs: ['lease', 'cancel'],
  },
]

for (const { name, statement, change, verbs: pair } of twins) {
  test(`the overlap rejects: ${name}`, async () => {
    let changed = 0
    const twin = (given: Statement) => {
      if (given.name !== statement) return given
      const text = change(given.text)
      if (text !== given.text) changed += 1
      const kept = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
      return { ...given, text, values: given.values.slice(0, Math.max(...kept)) }
    }
    await assert.rejects(together(pair[0]!, pair[1]!, twin), { name: 'ExplorationError' })
    assert.ok(changed > 0, 'the twin was never run')
  })
}
