import { InvalidInputError } from '../errors.ts'
import type { Dialect } from './dialect.ts'
import type { Expectation, Statement, Value } from './driver.ts'

/**
 * A piece of SQL: text with holes. A hole holds a value, or the name of a value that is given later
 * (`slot`). Pieces nest, so a dialect's fragments are put in where they belong.
 */
export interface Sql {
  readonly pieces: readonly Piece[]
}

type Piece = string | { readonly value: Value } | { readonly slot: string }

/** Writes SQL with values as parameters: sql`update t set a = ${1} where b = ${'x'}`. */
export function sql(strings: TemplateStringsArray, ...holes: readonly (Value | Sql)[]): Sql {
  const pieces: Piece[] = []
  strings.forEach((text, index) => {
    if (text !== '') pieces.push(text)
    if (index < holes.length) pieces.push(...fill(holes[index] as Value | Sql))
  })
  return { pieces }
}

function fill(hole: Value | Sql): readonly Piece[] {
  if (isSql(hole)) return hole.pieces
  if (hole === undefined) {
    throw new InvalidInputError('sql', 'holds undefined', 'a value, null, or another piece of sql')
  }
  return [{ value: hole }]
}

/** Whether `thing` was made by the `sql` tag. */
export function isSql(thing: unknown): thing is Sql {
  return typeof thing === 'object' && thing !== null && Array.isArray((thing as Sql).pieces)
}

/** A hole that `template(...).with({ name: value })` fills at each call. */
export function slot(name: string): Sql {
  return { pieces: [{ slot: name }] }
}

/** Trusted SQL text, put in as it is. Never give it anything a user wrote. */
export function raw(text: string): Sql {
  return { pieces: text === '' ? [] : [text] }
}

/** A table's or column's name, quoted; `schema.table` is quoted part by part. */
export function identifier(name: string): Sql {
  const parts = name.split('.')
  if (parts.some((part) => part === '' || part.includes('\0'))) {
    throw new InvalidInputError(
      'identifier',
      `is ${JSON.stringify(name)}`,
      'a name such as table or schema.table',
    )
  }
  return raw(parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.'))
}

/** Pieces with a separator between them; a comma by default. */
export function join(parts: readonly Sql[], separator = ', '): Sql {
  return {
    pieces: parts.flatMap((part, index) => (index === 0 ? part.pieces : [separator, ...part.pieces])),
  }
}

/** A statement whose text was written once, for a table and a dialect, and takes values at each call. */
export interface Template {
  readonly name: string
  readonly text: string
  /** @throws InvalidInputError when a slot is left empty: a missing value is a mistake, null is a value. */
  with(values: Readonly<Record<string, Value>>, expect?: Expectation): Statement
}

/** Renders a piece of SQL once, so that a call costs one small array and no string work. */
export function template(dialect: Dialect, name: string, piece: Sql): Template {
  const { text, holes } = render(dialect, piece)
  return {
    name,
    text,
    with(given, expect) {
      const values = holes.map((hole) => {
        const value = 'slot' in hole ? given[hole.slot] : hole.value
        if (value === undefined) {
          const field = 'slot' in hole ? hole.slot : 'value'
          throw new InvalidInputError(`${name}: ${field}`, 'was not given', 'a value or null')
        }
        return value
      })
      return expect === undefined ? { name, text, values } : { name, text, values, expect }
    },
  }
}

/** A statement for one use, from a piece of SQL without slots. */
export function statement(
  dialect: Dialect,
  piece: Sql,
  options: { name: string; expect?: Expectation },
): Statement {
  return template(dialect, options.name, piece).with({}, options.expect)
}

type Hole = Exclude<Piece, string>

function render(dialect: Dialect, piece: Sql): { text: string; holes: readonly Hole[] } {
  const holes: Hole[] = []
  const text = piece.pieces
    .map((part) => {
      if (typeof part === 'string') return part
      holes.push(part)
      return dialect.placeholder(holes.length)
    })
    .join('')
  return { text: text.trim(), holes }
}
