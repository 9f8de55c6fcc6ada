import type { Dialect } from '../../port/dialect.ts'
import { assignments, conditions, endOf, places, type Range, split } from './structure.ts'
import { type Edit, shown, type Token, tokensOf } from './tokens.ts'

/** What a mutant changes. */
export type TextKind =
  | 'compare'
  | 'drop-term'
  | 'drop-branch'
  | 'drop-where'
  | 'do-nothing'
  | 'own-column'
  | 'drop-assignment'
  | 'sign'
  | 'drop-order'
  | 'drop-lock'
  | 'drop-skip-locked'
  | 'drop-unique'
  | 'clock'

export interface TextChange {
  readonly kind: TextKind
  /** What became of what, for people. */
  readonly what: string
  readonly edits: readonly Edit[]
}

/** Every change of a text that these rules know, each a mistake that somebody makes. */
export function changesOf(tokens: readonly Token[], dialect: Dialect): TextChange[] {
  const clocks = clocksIn(tokens, dialect)
  const insideClock = ({ from, to }: Edit) => clocks.some((clock) => clock.from <= from && to <= clock.to)
  return [
    ...comparisons(tokens),
    ...terms(tokens),
    ...wheres(tokens),
    ...conflicts(tokens),
    ...ownColumns(tokens),
    ...droppedAssignments(tokens),
    ...signs(tokens),
    ...orders(tokens),
    ...locks(tokens),
    ...uniques(tokens),
  ]
    .filter(({ edits }) => !edits.some(insideClock))
    .concat(sendersClocks(tokens, clocks))
}

const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>'],
  '<=': ['<', '>='],
  '>': ['>=', '<'],
  '>=': ['>', '<='],
  '=': ['<>'],
  '<>': ['='],
  '!=': ['='],
}

function comparisons(tokens: readonly Token[]): TextChange[] {
  const assigning = assignments(tokens)
    .flat()
    .map(({ from, to }) => {
      const { depth } = tokens[from]!
      return tokens.findIndex(
        ({ word, depth: own }, at) => at >= from && at < to && word === '=' && own === depth,
      )
    })
  return tokens.flatMap(({ word }, at) =>
    assigning.includes(at)
      ? []
      : (NEIGHBOURS[word] ?? []).map((by) => ({
          kind: 'compare' as const,
          what: `${around(tokens, at)}: ${word} to ${by}`,
          edits: [{ from: at, to: at + 1, by }],
        })),
  )
}

/** Leaves out one condition of those joined by AND, or one branch of those joined by OR. */
function terms(tokens: readonly Token[]): TextChange[] {
  return conditions(tokens).flatMap((range) => {
    const branches = split(tokens, range, 'or')
    return [
      ...without(tokens, 'drop-branch', branches),
      ...branches.flatMap((branch) => without(tokens, 'drop-term', split(tokens, branch, 'and'))),
    ]
  })
}

/** Leaves out each one of several parts, with the word or comma that joins it to the others. */
function without(tokens: readonly Token[], kind: TextKind, parts: readonly Range[]): TextChange[] {
  if (parts.length < 2) return []
  return parts.map(({ from, to }, index) => ({
    kind,
    what: shown(tokens, from, to),
    edits: [index === 0 ? { from, to: to + 1, by: '' } : { from: from - 1, to, by: '' }],
  }))
}

/** What may stand behind a WHERE. */
const BEHIND_WHERE = 'group having window order limit offset returning for on union except intersect'.split(
  ' ',
)

function wheres(tokens: readonly Token[]): TextChange[] {
  return places(tokens, 'where').flatMap((from) => {
    const to = endOf(tokens, from, BEHIND_WHERE)
    const what = shown(tokens, from, to)
    return what === 'where true'
      ? []
      : [{ kind: 'drop-where', what, edits: [droppedWhere(tokens, from, to)] }]
  })
}

/** SQLite cannot tell INSERT ... SELECT ... ON CONFLICT from a join without a WHERE. */
function droppedWhere(tokens: readonly Token[], from: number, to: number): Edit {
  return { from, to, by: tokens[to]?.word === 'on' ? 'where true' : '' }
}

function conflicts(tokens: readonly Token[]): TextChange[] {
  return places(tokens, 'do', 'update').map((at) => ({
    kind: 'do-nothing',
    what: 'do update to do nothing',
    edits: [{ from: at + 1, to: endOf(tokens, at + 1, ['returning']), by: 'nothing' }],
  }))
}

function ownColumns(tokens: readonly Token[]): TextChange[] {
  const [into] = places(tokens, 'insert', 'into')
  if (into === undefined) return []
  const table = shown(tokens, into + 2, endOf(tokens, into + 2, ['(', 'select', 'values', 'as']))
  return places(tokens, 'excluded', '.').map((at) => ({
    kind: 'own-column',
    what: `excluded.${tokens[at + 2]?.text} to the row's own`,
    edits: [{ from: at, to: at + 1, by: table }],
  }))
}

function droppedAssignments(tokens: readonly Token[]): TextChange[] {
  return assignments(tokens).flatMap((list) => without(tokens, 'drop-assignment', list))
}

function signs(tokens: readonly Token[]): TextChange[] {
  return tokens.flatMap(({ word }, at) => {
    const isBinary = /^[\w"')?$]/.test(tokens[at - 1]?.text.slice(-1) ?? '')
    if ((word !== '+' && word !== '-') || !isBinary) return []
    const by = word === '+' ? '-' : '+'
    return [
      {
        kind: 'sign',
        what: `${around(tokens, at)}: ${word} to ${by}`,
        edits: [{ from: at, to: at + 1, by }],
      },
    ]
  })
}

function orders(tokens: readonly Token[]): TextChange[] {
  return places(tokens, 'order', 'by').map((from) => {
    const to = endOf(tokens, from, ['limit', 'offset', 'for', 'returning', 'on', 'union'])
    return { kind: 'drop-order', what: shown(tokens, from, to), edits: [{ from, to, by: '' }] }
  })
}

function locks(tokens: readonly Token[]): TextChange[] {
  return places(tokens, 'for').flatMap((from) => {
    const to = endOf(tokens, from, ['returning', 'union'])
    const what = shown(tokens, from, to)
    if (!/^for (?:no key )?(?:update|share)\b/i.test(what)) return []
    const dropped: TextChange = { kind: 'drop-lock', what, edits: [{ from, to, by: '' }] }
    const [skip] = places(tokens, 'skip', 'locked').filter((at) => at > from && at < to)
    if (skip === undefined) return [dropped]
    const edits = [{ from: skip, to: skip + 2, by: '' }]
    return [dropped, { kind: 'drop-skip-locked', what: 'skip locked', edits }]
  })
}

function uniques(tokens: readonly Token[]): TextChange[] {
  if (tokens[0]?.word !== 'create') return []
  const found = [...places(tokens, 'unique'), ...places(tokens, 'primary', 'key')]
  return found.map((from) => {
    const to = tokens[from]!.word === 'unique' ? from + 1 : from + 2
    return { kind: 'drop-unique', what: around(tokens, from), edits: [{ from, to, by: '' }] }
  })
}

/** The clock of a sender that is an hour off, in place of the database's. */
function sendersClocks(tokens: readonly Token[], clocks: readonly Range[]): TextChange[] {
  if (clocks.length === 0) return []
  return ['+', '-'].map((sign) => ({
    kind: 'clock',
    what: `the sender's clock, an hour ${sign === '+' ? 'ahead' : 'behind'}`,
    edits: clocks.map(({ from, to }) => ({ from, to, by: `(${shown(tokens, from, to)} ${sign} 3600000)` })),
  }))
}

/** Where the text reads the database's clock. */
function clocksIn(tokens: readonly Token[], dialect: Dialect): Range[] {
  const clock = tokensOf(dialect.clock.pieces.join('')).filter(({ word }) => word !== '')
  return places(tokens, ...clock.map(({ word }) => word)).map((from) => ({ from, to: from + clock.length }))
}

/** The place of a token, as the words beside it. */
function around(tokens: readonly Token[], at: number): string {
  return shown(tokens, at - 3, at + 4)
}
