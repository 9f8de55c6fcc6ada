import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EngineError, SchemaError, UnavailableError } from '../../src/errors.ts'
import { beforeCommit, type FaultKind, faultError } from '../../src/port/fault.ts'
import { sqliteFault } from '../../src/port/sqlite-fault.ts'

const words: readonly (readonly [string, FaultKind, Record<string, string>])[] = [
  ['no such table: rowlock_claims', 'missing-table', { table: 'rowlock_claims' }],
  ['no such table: main.t', 'missing-table', { table: 't' }],
  ['table t has no column named claimed_at', 'missing-column', { table: 't', column: 'claimed_at' }],
  ['no such column: claimed_at', 'missing-column', { column: 'claimed_at' }],
  ['no such column: t.claimed_at', 'missing-column', { table: 't', column: 'claimed_at' }],
  [
    'no such column: "claimed_at" - should this be a string literal in single-quotes?',
    'missing-column',
    { column: 'claimed_at' },
  ],
  ['attempt to write a readonly database', 'not-allowed', {}],
  ['not authorized', 'not-allowed', {}],
  ['UNIQUE constraint failed: t.a, t.b', 'unique', { table: 't', column: 'a' }],
  ["UNIQUE constraint failed: index 't_lower'", 'unique', { constraint: 't_lower' }],
  ['FOREIGN KEY constraint failed', 'foreign-key', {}],
  ['CHECK constraint failed: balance >= 0', 'check', { constraint: 'balance >= 0' }],
  ['NOT NULL constraint failed: t.a', 'check', { table: 't', column: 'a' }],
  ['cannot store TEXT value in INTEGER column t.a', 'check', { table: 't', column: 'a' }],
  ['string or blob too big', 'too-large', {}],
  ['database is locked', 'contended', {}],
  ['database table is locked: t', 'contended', {}],
  ['database is not open', 'unreachable', {}],
  ['The database connection is not open', 'unreachable', {}],
  ['database or disk is full', 'unreachable', {}],
  ['disk I/O error', 'unanswered', {}],
  ['near "reset": syntax error', 'other', {}],
  // D1's own.
  ['D1_ERROR: no such table: t: SQLITE_ERROR', 'missing-table', { table: 't' }],
  ['D1_ERROR: no such column: c at offset 7: SQLITE_ERROR', 'missing-column', { column: 'c' }],
  ['D1_ERROR: table t has no column named c: SQLITE_ERROR', 'missing-column', { table: 't', column: 'c' }],
  ['table t has no column named c at offset 15: SQLITE_ERROR', 'missing-column', { table: 't', column: 'c' }],
  [
    'D1_ERROR: UNIQUE constraint failed: t.key: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)',
    'unique',
    { table: 't', column: 'key' },
  ],
  ['D1_ERROR: Network connection lost.', 'unanswered', {}],
  ['D1_ERROR: D1 DB reset because its code was updated.', 'unanswered', {}],
  ['D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.', 'unanswered', {}],
  ['D1_ERROR: D1 DB is overloaded. Requests queued for too long.', 'unreachable', {}],
  ['D1_ERROR: internal error; reference = abc', 'unanswered', {}],
  ['D1_ERROR: Exceeded maximum DB size.', 'too-large', {}],
]

for (const [message, kind, names] of words) {
  test(`"${message}" is ${kind}`, () => {
    const fault = sqliteFault(new Error(message))
    const given = Object.entries(fault.names).filter(([, value]) => value !== undefined)
    assert.deepEqual({ kind: fault.kind, names: Object.fromEntries(given) }, { kind, names })
  })
}

test('the words may stand in a cause', () => {
  const wrapped = new Error('Failed query: insert into t', {
    cause: new Error('D1_ERROR: something', { cause: new Error('no such table: t: SQLITE_ERROR') }),
  })
  assert.equal(sqliteFault(wrapped).kind, 'missing-table')
})

test('a schema error names the command that mends it, the statement and the table', () => {
  const cause = new Error('no such table: rowlock_claims')
  const error = faultError(sqliteFault(cause), cause, 'claims.acquire')
  assert.ok(error instanceof SchemaError)
  assert.equal(error.problem, 'missing-table')
  assert.deepEqual(error.details, {
    problem: 'missing-table',
    statement: 'claims.acquire',
    table: 'rowlock_claims',
  })
  assert.match(error.message, /^claims\.acquire: .*install\(driver\).*`rowlock migrate`/)
  assert.equal(error.cause, cause)
})

test('a lost answer is unknown, unless COMMIT had not been sent', () => {
  const cause = new Error('D1_ERROR: Network connection lost.')
  const lost = faultError(sqliteFault(cause), cause)
  assert.ok(lost instanceof UnavailableError)
  assert.deepEqual([lost.applied, lost.retryable], ['unknown', true])
  const early = faultError(beforeCommit(sqliteFault(cause)), cause)
  assert.ok(early instanceof UnavailableError)
  assert.equal(early.applied, 'no')
})

test('what no rule knows is an engine error with its cause', () => {
  const cause = new Error('no such function: zz')
  const error = faultError(sqliteFault(cause), cause, 'x.y')
  assert.ok(error instanceof EngineError)
  assert.deepEqual([error.fault, error.cause, error.retryable], ['other', cause, false])
})
