import type { Statement } from '../../src/port/driver.ts'

export interface Twin {
  readonly name: string
  /** The statement that it gets wrong. */
  readonly statement: string
  change(given: Statement): Statement
  /** What its tables lack. */
  readonly tables?: readonly string[]
}

/** Replaces a piece of the text, which must be there, and drops the values that stood in it. */
function without(given: Statement, piece: string | RegExp, instead = ''): Statement {
  const found = typeof piece === 'string' ? piece : piece.exec(given.text)?.[0]
  const at = found === undefined ? -1 : given.text.indexOf(found)
  if (found === undefined || at < 0) throw new Error(`${given.name} does not hold ${piece}`)
  const holes = (text: string) => text.split('?').length - 1
  const before = holes(given.text.slice(0, at))
  const values = given.values.toSpliced(before, holes(found) - holes(instead))
  return { ...given, text: given.text.replace(found, instead), values }
}

export const twins: readonly Twin[] = [
  {
    name: 'enqueue without a unique dedup key',
    statement: 'outbox.enqueue',
    change: (given) => without(given, 'on conflict (dedup_key) do nothing\n'),
    tables: ['drop index rowlock_outbox_dedup'],
  },
  {
    name: 'sent without the token',
    statement: 'outbox.sent',
    change: (given) => without(given, / and token = cast\(\? as bigint\)/),
  },
  {
    name: 'dead without the token',
    statement: 'outbox.dead',
    change: (given) => without(given, / and token = cast\(\? as bigint\)/),
  },
  {
    name: 'retry without the token',
    statement: 'outbox.retry',
    change: (given) => without(given, / and token = cast\(\? as bigint\)/),
  },
  {
    name: 'a later message overtakes the earlier one of its ordering key',
    statement: 'outbox.lease',
    change: (given) => without(given, /\n\s+and not exists \(select 1 from \S+ e\n[\s\S]*?is null\)/),
  },
  {
    name: 'a later message overtakes one that was put back',
    statement: 'outbox.lease',
    change: (given) => without(given, 'and e.finished_at is null', `and e.state = 'leased'`),
  },
  {
    name: 'a lease that everybody gets',
    statement: 'outbox.lease',
    change: (given) => without(given, / and \(c\.state = 'pending' or c\.lease_until < .*(?=\n)/),
  },
  {
    name: 'the oldest first, whatever their destination',
    statement: 'outbox.lease',
    change: (given) => without(given, 'order by c.rank, c.turn', 'order by c.id'),
  },
  {
    name: 'cancel of what was leased once',
    statement: 'outbox.cancel',
    change: (given) => without(given, ' and token = 0'),
  },
  {
    name: 'sweep of what is unfinished',
    statement: 'outbox.sweep',
    change: (given) => ({ ...given, text: given.text.replaceAll('finished_at', 'created_at') }),
  },
]
