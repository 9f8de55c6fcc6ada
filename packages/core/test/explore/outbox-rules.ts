import type { Row } from '../../src/port/driver.ts'
import { ok } from '../../src/testing/assert.ts'
import { live } from './claims-rules.ts'
import { type Change, changes, type Transition } from './transitions.ts'
import type { Kind } from './verbs.ts'
import { DOWN, HELD, RETENTION, type State } from './world.ts'

/** What a step may do to a message, by who takes it. */

export function checkOutbox(transitions: readonly Transition[]): void {
  for (const transition of transitions) {
    const { before, after } = transition
    for (const change of changes(before.messages, after.messages)) checkStep(transition, change)
  }
}

function checkStep(transition: Transition, { key, before, after }: Change): void {
  const { verb, now } = transition
  const said = `${verb.name} at ${now} on ${key}`
  if (before === undefined) checkNew(transition, after!, said)
  else if (after === undefined) {
    const old = Number(before.finished_at) < now - RETENTION
    ok(verb.kind === 'outbox-sweep' && before.finished_at !== null && old, `${said}: removed`)
  } else {
    ok(before.id === after.id && before.payload === after.payload, `${said}: another message`)
    if (before.token !== after.token) checkLease(transition, before, after, said)
    else checkState(transition, before, after, said)
  }
}

/** A message comes into being with what caused it. */
function checkNew({ verb, now, holder, before, after }: Transition, row: Row, said: string): void {
  ok(row.state === 'pending' && row.token === 0 && row.created_at === now, `${said}: not new`)
  if (verb.kind === 'enqueue') return
  const [was, is] = [before.claims.get('k'), after.claims.get('k')]
  const held = was?.token === HELD.token && live(was, now) && was?.state !== 'done'
  const won = is?.holder === holder && was?.token !== is?.token
  if (verb.kind === 'guarded') ok(held, `${said}: written under a claim that is lost`)
  else ok(verb.kind === 'acquire' && won, `${said}: written without a win`)
}

/** A lease: nobody had the message, it was due, and nothing was in front of it. */
function checkLease({ verb, now, before: state }: Transition, before: Row, after: Row, said: string): void {
  ok(verb.kind === 'lease', `${said}: gave out a token`)
  ok(after.token === Number(before.token) + 1, `${said}: the token did not rise by one`)
  const over = before.state === 'leased' && Number(before.lease_until) < now
  ok(before.state === 'pending' || over, `${said}: a second live holder, or finished`)
  ok(Number(before.not_before) <= now, `${said}: not due`)
  ok(!state.disabled.has(String(before.destination)), `${said}: of a destination that is switched off`)
  ok(!earlier(state, before), `${said}: overtook an earlier message`)
  ok(after.state === 'leased' && after.attempts === Number(before.attempts) + 1, `${said}: no lease`)
}

function earlier(state: State, row: Row): boolean {
  return [...state.messages.values()].some(
    (other) =>
      row.ordering_key !== null &&
      other.ordering_key === row.ordering_key &&
      other.destination === row.destination &&
      Number(other.id) < Number(row.id) &&
      other.finished_at === null,
  )
}

const MAY: Readonly<Partial<Record<Kind, { readonly from: string; readonly to: string }>>> = {
  sent: { from: 'leased', to: 'sent' },
  retry: { from: 'leased', to: 'pending' },
  dead: { from: 'leased', to: 'dead' },
  cancel: { from: 'pending', to: 'cancelled' },
  redrive: { from: 'dead', to: 'pending' },
}

function checkState({ verb }: Transition, before: Row, after: Row, said: string): void {
  const may = MAY[verb.kind]
  ok(may?.from === before.state && may?.to === after.state, `${said}: ${before.state} became ${after.state}`)
  if (verb.kind === 'cancel') ok(before.token === 0, `${said}: it had been leased`)
  if (may?.from === 'leased')
    ok(before.id === DOWN.id && before.token === DOWN.token, `${said}: under another token`)
}
