import { recent } from './recent.ts'

/** What a statement's text shows about it, read without understanding the rest. */
export interface Shape {
  readonly kind: 'select' | 'write' | 'other'
  /** The text holds more than one statement. */
  readonly several: boolean
  /** A write that ends in RETURNING. */
  readonly returning: boolean
  /** A SELECT that keeps others from changing what it read until the transaction ends. */
  readonly locks: boolean
}

const QUOTED =
  /\be'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|(\$(?:[a-z_]\w*)?\$)[\s\S]*?\1/gi
const INNERMOST = /\([^()]*\)/g
const VERB = /^[\s(]*(?:with\b[\s\S]*?)?\b(?:(select|values)|insert|update|delete|replace|merge)\b/i
const LOCK = /\bfor\s+(?:no\s+key\s+update|update|share)\b|\(\s*(?:insert|update|delete|merge)\b/i

const shapes = recent(512, read)

/** Reads the shape of a text, once for each text in use. */
export function shapeOf(text: string): Shape {
  return shapes.get(text)
}

function read(text: string): Shape {
  const bare = text.replace(QUOTED, (quoted) => (/^(?:--|\/\*)/.test(quoted) ? ' ' : ' x '))
  const outer = withoutParentheses(bare)
  const verb = VERB.exec(outer)
  const kind = verb === null ? 'other' : verb[1] === undefined ? 'write' : 'select'
  return {
    kind,
    several: kind !== 'other' && /;[\s;]*[^\s;]/.test(bare),
    returning: kind === 'write' && /\breturning\b/i.test(outer),
    locks: kind === 'select' && LOCK.test(bare),
  }
}

function withoutParentheses(text: string): string {
  let outer = text
  for (let before = ''; before !== outer; ) {
    before = outer
    outer = outer.replace(INNERMOST, ' ')
  }
  return outer
}
