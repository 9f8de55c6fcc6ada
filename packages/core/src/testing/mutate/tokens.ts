import type { Statement } from '../../port/driver.ts'

/** One word, sign or literal of an SQL text. */
export interface Token {
  /** White space and comments in front of it. */
  readonly space: string
  readonly text: string
  /** The text in lower case for words, as it stands for everything else: what rules compare with. */
  readonly word: string
  /** How many parentheses and CASEs it stands in. A parenthesis belongs to what is around it. */
  readonly depth: number
  /** For a parameter: the index of its value. */
  readonly value?: number
}

/** A change of a text: the tokens from `from` up to, not including, `to` become `by`. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly by: string
}

const PIECE =
  /(?<space>(?:\s|--[^\n]*|\/\*[\s\S]*?\*\/)*)(?<text>e?'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>[a-z_]*)\$[\s\S]*?\$\k<tag>\$|\$\d+|\?\d*|[a-z_][\w$]*|\d+(?:\.\d+)?|<=|>=|<>|!=|\|\||::|->>|->|.|$)/giy

/** Takes a text apart. Put together again by `edited` without edits, it is the same text. */
export function tokensOf(text: string): Token[] {
  const numbered = /\$\d/.test(text)
  const tokens: Token[] = []
  let depth = 0
  let parameters = 0
  for (const { groups } of text.matchAll(PIECE)) {
    const { space, text: piece } = groups as { space: string; text: string }
    const word = piece.toLowerCase()
    if (word === ')' || word === 'end') depth--
    const value = parameterOf(piece, numbered, parameters)
    if (value !== undefined) parameters++
    tokens.push({ space, text: piece, word, depth, ...(value !== undefined && { value }) })
    if (word === '(' || word === 'case') depth++
  }
  return tokens
}

/** `$3` and `?3` name their value; plain `?` takes the next one, unless it is an operator of PostgreSQL. */
function parameterOf(piece: string, numbered: boolean, before: number): number | undefined {
  const [, number] = /^[$?](\d+)$/.exec(piece) ?? []
  if (number !== undefined) return Number(number) - 1
  return piece === '?' && !numbered ? before : undefined
}

/**
 * The statement with its text changed. Values of parameters that are gone are taken out, and `$n` are
 * numbered anew, so that the database is given what it asks for.
 */
export function edited(statement: Statement, tokens: readonly Token[], edits: readonly Edit[]): Statement {
  const kept: number[] = []
  let text = ''
  let at = 0
  const copy = (to: number) => {
    for (; at < to; at++) text += rendered(tokens[at]!, kept)
  }
  for (const { from, to, by } of [...edits].sort((left, right) => left.from - right.from)) {
    copy(from)
    text += by === '' ? '' : `${tokens[from]?.space ?? ' '}${by}`
    at = to
  }
  copy(tokens.length)
  return { ...statement, text, values: kept.map((index) => statement.values[index] ?? null) }
}

function rendered({ space, text, value }: Token, kept: number[]): string {
  if (value === undefined) return space + text
  if (text === '?') {
    kept.push(value)
    return `${space}?`
  }
  if (!kept.includes(value)) kept.push(value)
  return `${space}${text[0]}${kept.indexOf(value) + 1}`
}

/** The text of some tokens, on one line. */
export function shown(tokens: readonly Token[], from = 0, to = tokens.length): string {
  return tokens
    .slice(Math.max(from, 0), to)
    .map(({ space, text }) => (space === '' ? '' : ' ') + text)
    .join('')
    .trim()
}
