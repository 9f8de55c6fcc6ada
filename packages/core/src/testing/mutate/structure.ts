import type { Token } from './tokens.ts'

/** A run of tokens, `to` not included. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** Words that end a condition, or the list of something, when they stand beside it. */
const BOUNDARIES = new Set(
  `select from where on having when then else set returning order group limit offset for union except
  intersect values using do update insert delete into window with as materialized join left right inner cross
  partition over by default check constraint`.split(/\s+/),
)

/** Where the clause that begins at `from` ends: at its own depth, at one of these words. */
export function endOf(tokens: readonly Token[], from: number, words: readonly string[]): number {
  const { depth } = tokens[from]!
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at]!
    if (token.depth < depth || token.word === '' || token.word === ';') return at
    if (token.depth === depth && at > from && words.includes(token.word)) return at
  }
  return tokens.length
}

/** The parts of a range that stand between these words, at the depth of its first token. */
export function split(tokens: readonly Token[], { from, to }: Range, ...words: string[]): Range[] {
  const { depth } = tokens[from]!
  const parts: Range[] = []
  let start = from
  let between = false
  for (let at = from; at < to; at++) {
    const token = tokens[at]!
    if (token.depth !== depth) continue
    if (token.word === 'between') between = true
    else if (token.word === 'and' && between) between = false
    else if (words.includes(token.word)) {
      parts.push({ from: start, to: at })
      start = at + 1
    }
  }
  return [...parts, { from: start, to }]
}

/** Every run of tokens in which AND and OR at its own depth join conditions. */
export function conditions(tokens: readonly Token[]): Range[] {
  const found: Range[] = []
  const assigned = assignments(tokens).flat()
  for (let from = 0; from < tokens.length; from++) {
    if (!beginsRun(tokens, from)) continue
    const to = runEnd(tokens, from)
    const range = { from, to }
    const isAssignment = assigned.some((each) => each.from === from)
    if (to > from && !isAssignment && split(tokens, range, 'and', 'or').length > 1) found.push(range)
  }
  return found
}

function beginsRun(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.word
  return before === undefined || before === '(' || before === 'case' || isBoundary(tokens, at - 1)
}

function runEnd(tokens: readonly Token[], from: number): number {
  const { depth } = tokens[from]!
  let at = from
  while (at < tokens.length) {
    const token = tokens[at]!
    if (token.depth < depth || token.word === '') break
    if (token.depth === depth && isBoundary(tokens, at)) break
    at++
  }
  return at
}

function isBoundary(tokens: readonly Token[], at: number): boolean {
  const word = tokens[at]?.word ?? ''
  if (word === 'from') return tokens[at - 1]?.word !== 'distinct'
  if (word === 'left' || word === 'right') return tokens[at + 1]?.word !== '('
  return word === ',' || word === ';' || BOUNDARIES.has(word)
}

/** The assignments of each SET. */
export function assignments(tokens: readonly Token[]): Range[][] {
  return places(tokens, 'set').map((set) => {
    const to = endOf(tokens, set + 1, ['where', 'from', 'returning'])
    return split(tokens, { from: set + 1, to }, ',')
  })
}

/** Where a word stands, or several in a row. */
export function places(tokens: readonly Token[], ...words: string[]): number[] {
  return tokens.flatMap((_, at) =>
    words.every((word, index) => tokens[at + index]?.word === word) ? [at] : [],
  )
}
