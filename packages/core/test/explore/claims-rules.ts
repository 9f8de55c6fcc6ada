import type { Row } from '../../src/port/driver.ts'
import { ok } from '../../src/testing/assert.ts'
import { type Change, changes, type Transition } from './transitions.ts'
import type { Kind } from './verbs.ts'
import { HELD } from './world.ts'

/** What a step may do to a row of claims, by who takes it. */

export function live(row: Row | undefined, now: number): boolean {
  return row !== undefined && row.claimed_at !== null && Number(row.expires_at) >= now
}

/** Greatest token of each key that was ever seen, rows that have been swept included. */
export function checkClaims(transitions: readonly Transition[]): void {
  const greatest = new Map<string, number>()
  for (const [key, row] of transitions[0]?.before.claims ?? []) greatest.set(key, Number(row.token))
  for (const transition of transitions) {
    for (const change of changes(transition.before.claims, transition.after.claims)) {
      checkStep(transition, change, greatest)
    }
  }
}

function checkStep(transition: Transition, change: Change, greatest: Map<string, number>): void {
  const { verb, now } = transition
  const { key, before, after } = change
  const said = `${verb.name} at ${now} on ${key}`
  if (after === undefined) {
    ok(verb.kind === 'claims-sweep' && !live(before, now), `${said}: deleted a row that is held`)
    return
  }
  if (before !== undefined && before.token === after.token) checkOwn(transition, before, after, said)
  else {
    ok(verb.kind === 'acquire' || verb.kind === 'use', `${said}: gave out a token`)
    ok(!live(before, now), `${said}: a second live holder`)
    ok(Number(after.token) > (greatest.get(key) ?? 0), `${said}: the token did not rise`)
    ok(after.holder === transition.holder && after.claimed_at === now, `${said}: somebody else's win`)
    ok(after.state === 'held' && after.result === null, `${said}: something was left of the former holder`)
  }
  greatest.set(key, Number(after.token))
}

const ENDS: readonly Kind[] = ['renew', 'complete', 'release']

/** The token stays: only whoever has it changes the row, and only while it holds it. */
function checkOwn({ verb, now, holder }: Transition, before: Row, after: Row, said: string): void {
  const has =
    verb.kind === 'use' ? before.holder === holder : before.token === HELD.token && ENDS.includes(verb.kind)
  ok(has, `${said}: changed a claim of somebody else`)
  ok(before.state !== 'done' || after.state === 'done', `${said}: undid what was done`)
  ok(Number(after.expires_at) >= Number(before.expires_at), `${said}: shortened the window`)
  const frees = after.claimed_at === null
  ok(frees ? before.state !== 'done' : live(before, now), `${said}: changed a claim that was over`)
  if (verb.kind === 'release') ok(frees, `${said}: released nothing`)
  if (verb.kind === 'renew')
    ok(after.state === 'held' && Number(after.expires_at) > now, `${said}: no new window`)
  if (verb.kind === 'complete')
    ok(after.state === 'done' && after.result === '"result"', `${said}: not completed`)
}
