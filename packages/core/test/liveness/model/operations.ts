import type { Liveness, LivenessOptions } from '../../../src/liveness/index.ts'
import type { LivenessModel } from '../../../src/liveness/model.ts'
import type { BeatOptions, Expectations } from '../../../src/liveness/types.ts'

/** What the SQL and the model have in common, and a way to deliver the alerts that wait. */
export interface Watched extends Pick<Liveness, Extract<keyof LivenessModel, keyof Liveness>> {
  deliver(now: number): Promise<unknown>
}

/** One call, the same for the SQL and for the model. */
export interface Operation {
  readonly name: string
  run(watched: Watched): Promise<unknown>
}

/** Limits so small that a few calls reach them. */
export const options = {
  downAfter: 10,
  every: 10,
  episodeWindow: 4,
  flapping: { changes: 4, within: 30 },
  mass: { share: 0.7, least: 2, holdTicks: 1 },
  announceTo: ['ops'],
} satisfies LivenessOptions

const operation = (name: string, run: Operation['run']): Operation => ({ name, run })

const check = (now: number) =>
  operation(`check ${now}`, (watched) => watched.check({ now, run: `run ${now}` }))
const beat = (id: string, now: number, options: BeatOptions = {}) =>
  operation(`beat ${id} ${now}${said(options)}`, (watched) => watched.beat(id, { now, ...options }))
const register = (id: string, now: number, options: Expectations = {}) =>
  operation(`register ${id} ${now}${said(options)}`, (watched) => watched.register(id, { now, ...options }))
const change = (verb: 'pause' | 'resume' | 'remove' | 'fail', id: string, now: number) =>
  operation(`${verb} ${id} ${now}`, (watched) => watched[verb](id, { now }))

function said(options: object): string {
  const text = JSON.stringify(options)
  return text === '{}' ? '' : ` ${text}`
}

/** A tiny alphabet: silence of 10 ms, at its exact end and around it; beats in time, late, twice and before their time. */
export const operations: readonly Operation[] = [
  register('a', 100),
  register('a', 104, { downAfter: 5, label: 'A' }),
  register('a', 104, { maintenanceUntil: 125 }),
  register('a', 106, { nextDueAt: 112 }),
  register('b', 100, { mustAppearWithin: 5 }),
  register('b', 104, { parent: 'a', tags: ['t'] }),
  operation('register many 102', (watched) =>
    watched.registerMany([{ id: 'a', lateAfter: 3 }, { id: 'c' }], { now: 102 }),
  ),
  beat('a', 100, { register: {} }),
  beat('a', 104, { sentAt: 90 }),
  beat('a', 110),
  beat('a', 111),
  beat('a', 111, { receivedAt: 101 }),
  beat('a', 112, { receivedAt: 105, nextDueAt: 118 }),
  beat('b', 101, { register: { parent: 'a' } }),
  beat('b', 112),
  operation('beat a, b, x 105', (watched) =>
    watched.beatMany([{ id: 'a' }, { id: 'b' }, { id: 'x' }], { now: 105 }),
  ),
  operation('beat b, a, a 113', (watched) =>
    watched.beatMany([{ id: 'b', sentAt: 7 }, { id: 'a', receivedAt: 103 }, { id: 'a' }], { now: 113 }),
  ),
  change('fail', 'a', 104),
  operation('fail a 112 r', (watched) => watched.fail('a', { now: 112, reason: 'r' })),
  change('fail', 'b', 110),
  change('pause', 'a', 106),
  change('pause', 'b', 112),
  change('resume', 'a', 112),
  change('remove', 'a', 113),
  change('remove', 'b', 106),
  check(105),
  check(109),
  check(110),
  check(111),
  check(115),
  check(122),
  check(142),
  operation('deliver 112', (watched) => watched.deliver(112)),
  operation('uptime a', (watched) => watched.uptime('a', { from: 95, to: 130, now: 120 })),
]

const named = (name: string) => {
  const found = operations.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no operation ${name}`)
  return found
}

const a = beat('a', 100, { register: {} })
const b = beat('b', 101, { register: { parent: 'a' } })
const c = beat('c', 102, { register: { tags: ['t', 'u'], label: 'C' } })

/** Where the sequences begin. From the later ones a few steps reach ends, episodes, flapping and mass outages. */
export const beginnings: readonly (readonly Operation[])[] = [
  [],
  [a],
  [a, b, named('check 105')],
  [a, b, c, named('check 105'), named('check 111')],
  [a, beat('b', 104, { register: { parent: 'a' } }), named('check 110'), named('deliver 112')],
  [a, named('check 110'), named('deliver 112'), beat('a', 113), change('fail', 'a', 114), beat('a', 115)],
  [a, named('check 110'), named('pause a 106')],
]

/** Those that make the others possible or impossible. */
export const few: readonly Operation[] = [
  'beat a 100 {"register":{}}',
  'register a 104 {"maintenanceUntil":125}',
  'beat a 110',
  'beat a 111 {"receivedAt":101}',
  'fail a 104',
  'pause a 106',
  'resume a 112',
  'remove a 113',
  'check 105',
  'check 110',
  'check 122',
  'check 142',
  'deliver 112',
].map(named)
