import type { AcquireOutcome } from '../../src/claims/index.ts'
import type { AnswerOutcome } from '../../src/outbox/index.ts'
import type { Row } from '../../src/port/driver.ts'
import { equal, fail, ok, show } from '../../src/testing/assert.ts'
import { live } from './claims-rules.ts'
import { changes, type Deed } from './transitions.ts'
import { DOWN, HELD, type State } from './world.ts'

/** An answer never says more than what is in the table, and never less. */

type Told = Record<string, unknown>

export function checkAnswer(deed: Deed): void {
  const { outcome, verb } = deed
  if (outcome.state !== 'returned') return
  const told = outcome.value as Told
  if (told?.reason === 'unknown') {
    ok(deed.crashed, `${verb.name}: unknown, and nothing was lost`)
    return
  }
  CHECKS[verb.kind]?.(deed, told)
}

const CHECKS: Readonly<Partial<Record<string, (deed: Deed, told: Told) => void>>> = {
  acquire: (deed, told) => {
    const answers = (Array.isArray(told) ? told : [told]) as AcquireOutcome[]
    const keys = Array.isArray(told) ? ['k', 'old', 'new'] : [deed.verb.name.includes('new') ? 'new' : 'k']
    for (const [index, answer] of answers.entries()) checkWin(deed, keys[index]!, answer)
  },
  use: (deed, told) => {
    const won = claimed(deed, 'k')
    if (told.ran) ok(won, `${deed.verb.name} ran without a win`)
    else ok(!won || deed.crashed, `${deed.verb.name} won and did not run`)
    if (told.recorded === 'yes')
      ok(
        deed.states.some((s) => s.claims.get('k')?.result === '"done"'),
        'recorded nothing',
      )
  },
  renew: (deed, told) => checkOwnClaim(deed, told.renewed, (row) => row.expires_at === told.expiresAt),
  complete: (deed, told) => checkOwnClaim(deed, told.completed, (row) => row.state === 'done'),
  release: (deed, told) => checkOwnClaim(deed, told.released, (row) => row.claimed_at === null),
  guarded: (deed, told) => equal(written(deed, 'messages'), told.guarded ? 1 : 0, 'messages under the guard'),
  enqueue: (deed, told) => equal(count(told.enqueued ?? told.changed), written(deed, 'messages'), 'enqueued'),
  lease: (deed, told) => {
    equal(count(told.messages) + count(told.dead), written(deed, 'messages'), 'leased')
    for (const { dedupKey, token } of told.messages as { dedupKey: string; token: number }[]) {
      ok(
        deed.own.some(({ after }) => {
          const row = after.messages.get(dedupKey)
          return row?.token === token && row.state === 'leased'
        }),
        `${dedupKey} was not leased under ${token}`,
      )
    }
  },
  sent: checkOwnMessage,
  retry: checkOwnMessage,
  dead: checkOwnMessage,
  cancel: (deed, told) => equal(count(told.changed), written(deed, 'messages'), 'cancelled'),
  redrive: (deed, told) => equal(count(told.changed), written(deed, 'messages'), 'redriven'),
  'outbox-sweep': (deed, told) => equal(told.removed, written(deed, 'messages'), 'removed'),
  'claims-sweep': (deed, told) => equal(told.removed, written(deed, 'claims'), 'removed'),
  switch: (deed, told) => {
    const switched = deed.own.some(
      ({ before, after }) => before.disabled.has('c') !== after.disabled.has('c'),
    )
    equal(told.changed, switched, 'switched')
  },
}

function checkWin(deed: Deed, key: string, answer: AcquireOutcome): void {
  if (answer.won) {
    const { token, holder, expiresAt } = answer
    const stands = deed.states.some(({ claims }) => {
      const row = claims.get(key)
      return (
        row?.token === token && row.holder === holder && row.expires_at === expiresAt && live(row, deed.now)
      )
    })
    ok(stands && claimed(deed, key), `${deed.verb.name} says it won ${key}, and no row says so`)
  } else if (answer.reason === 'held' || answer.reason === 'done') {
    ok(!claimed(deed, key), `${deed.verb.name} won ${key} and does not know`)
    ok(
      deed.states.some(({ claims }) => live(claims.get(key), deed.now)),
      `${deed.verb.name} lost ${key} to nobody`,
    )
  } else if (answer.reason !== 'unknown') fail(`an answer that nobody can get here: ${show(answer)}`)
}

/** Renew, complete, release: a change of ours is a yes; a no is told only when it was not ours any more. */
function checkOwnClaim(deed: Deed, yes: unknown, stands: (row: Row) => boolean): void {
  const row = ({ claims }: State) => claims.get('k')
  if (written(deed, 'claims') > 0) ok(yes, `${deed.verb.name} changed the row and says no`)
  const done = (state: State) => row(state)?.token === HELD.token && stands(row(state)!)
  const gone = (state: State) =>
    row(state)?.token !== HELD.token || !live(row(state), deed.now) || row(state)?.state === 'done'
  if (yes) ok(deed.states.some(done), `${deed.verb.name} says yes, and no row says so`)
  else ok(deed.states.some(gone), `${deed.verb.name} lost a claim that was held all the time`)
}

/** Sent, retry, dead: the same. An answer that somebody else has given under this token is ours too. */
function checkOwnMessage(deed: Deed, told: Told): void {
  const answer = told as unknown as AnswerOutcome
  const row = ({ messages }: State) => messages.get('down')
  if (written(deed, 'messages') > 0)
    ok(answer.ok, `${deed.verb.name} changed the row and says ${show(answer)}`)
  const done = (state: State) =>
    answer.ok && row(state)?.state === answer.state && row(state)?.token === DOWN.token
  const gone = (state: State) => row(state)?.state !== 'leased' || row(state)?.token !== DOWN.token
  if (answer.ok) ok(deed.states.some(done), `${deed.verb.name} says ${answer.state}, and no row says so`)
  else ok(deed.states.some(gone), `${deed.verb.name} lost a lease that it had all the time`)
}

/** Rows that the actor's own steps changed. */
function written({ own }: Deed, table: 'claims' | 'messages'): number {
  return own.reduce((sum, { before, after }) => sum + changes(before[table], after[table]).length, 0)
}

/** The actor's own step gave it the key. */
function claimed({ own, holder }: Deed, key: string): boolean {
  return own.some(({ before, after }) => {
    const row = after.claims.get(key)
    return row?.holder === holder && row.token !== before.claims.get(key)?.token
  })
}

function count(list: unknown): number {
  return (list as readonly unknown[]).length
}
