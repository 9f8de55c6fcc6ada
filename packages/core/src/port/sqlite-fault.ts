import { chain, type Fault, type FaultKind, messageOf } from './fault.ts'

/**
 * SQLite's words are the same in every driver, so the rules read them; D1 has nothing else to offer.
 * The first rule that matches wins.
 */
const RULES: readonly (readonly [RegExp, FaultKind])[] = [
  [/^no such table: (?:main\.)?(?<table>.+)/, 'missing-table'],
  [/^table (?<table>.+) has no column named (?<column>.+)/, 'missing-column'],
  [/^no such column: "?(?:(?<table>[^."]+)\.)?(?<column>[^"]+)/, 'missing-column'],
  [/^attempt to write a readonly database|^not authorized|^access to .+ is prohibited/, 'not-allowed'],
  [/^UNIQUE constraint failed: (?:index '(?<constraint>.+)'|(?<table>[^.]+)\.(?<column>[^,]+))/, 'unique'],
  [/^FOREIGN KEY constraint failed/, 'foreign-key'],
  [/^CHECK constraint failed: (?<constraint>.+)/, 'check'],
  [/^NOT NULL constraint failed: (?<table>[^.]+)\.(?<column>.+)/, 'check'],
  [/^cannot store \S+ value in \S+ column (?<table>[^.]+)\.(?<column>.+)/, 'check'],
  [
    /^(?:string or blob too big|too many SQL variables|statement too long|Exceeded maximum DB size)/,
    'too-large',
  ],
  [/^database (?:table |schema )?is locked/, 'contended'],
  [/is not open|^unable to open database|is full$|is overloaded|^too many requests queued/i, 'unreachable'],
  [/^disk I\/O error|connection lost|(?:object to be|DB|was) reset|^internal error/i, 'unanswered'],
  [/transient issue|client disconnected/, 'unanswered'],
]

const WRAPPING = /^(?:\w*(?:_ERROR|Error): )+/
const TRAILER = /(?: at offset \d+)?(?:: SQLITE_\w+(?: \(extended: \w+\))?)?$/

/** What an error of SQLite, or of D1 in front of it, means. */
export function sqliteFault(cause: unknown): Fault {
  for (const error of chain(cause)) {
    const words = messageOf(error).replace(WRAPPING, '').replace(TRAILER, '')
    for (const [pattern, kind] of RULES) {
      const found = pattern.exec(words)
      if (found !== null) return { kind, names: { ...found.groups } }
    }
  }
  return { kind: 'other', names: {} }
}
