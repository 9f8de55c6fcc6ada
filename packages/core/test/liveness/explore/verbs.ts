import { createLiveness, type Liveness } from '../../../src/liveness/index.ts'
import type { Driver } from '../../../src/port/driver.ts'
import { OPTIONS } from './world.ts'

/** A verb as an actor runs it, at the instant that its clock shows. */
export interface Verb {
  readonly name: string
  readonly kind: 'check' | 'beat' | 'beatMany' | 'fail' | 'pause' | 'resume' | 'remove' | 'register'
  readonly ids: readonly string[]
  run(driver: Driver, call: { readonly now: number; readonly run: string }): Promise<unknown>
}

const verb = (
  kind: Verb['kind'],
  ids: readonly string[],
  run: (liveness: Liveness, call: { now: number; run: string }) => Promise<unknown>,
): Verb => ({
  name: `${kind} ${ids.join(' ')}`.trim(),
  kind,
  ids,
  run: (driver, call) => run(createLiveness(driver, OPTIONS), call),
})

const one = (kind: 'beat' | 'fail' | 'pause' | 'resume' | 'remove', id: string): Verb =>
  verb(kind, [id], (liveness, { now }) => liveness[kind](id, { now }))

export const verbs: readonly Verb[] = [
  verb('check', [], (liveness, call) => liveness.check(call)),
  one('beat', 'silent'),
  one('beat', 'down'),
  one('beat', 'fresh'),
  verb('beatMany', ['down', 'silent', 'new'], (liveness, { now }) =>
    liveness.beatMany([{ id: 'down' }, { id: 'silent' }, { id: 'new' }], { now }),
  ),
  one('fail', 'silent'),
  one('fail', 'down'),
  one('pause', 'silent'),
  one('pause', 'down'),
  one('resume', 'paused'),
  one('remove', 'silent'),
  one('remove', 'fresh'),
  verb('register', ['silent'], (liveness, { now }) => liveness.register('silent', { downAfter: 200, now })),
]
