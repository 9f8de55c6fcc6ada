import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultKind, FaultNames } from '../../src/port/fault.ts'
import { postgresFault } from '../../src/port/postgres-fault.ts'
import { serverError } from './postgres-fake.ts'

const faults: readonly (readonly [Error, FaultKind, FaultNames])[] = [
  [serverError('42P01', 'relation "nope" does not exist'), 'missing-table', { table: 'nope' }],
  [serverError('42P01', 'relation "public.nope" does not exist'), 'missing-table', { table: 'public.nope' }],
  [serverError('42P01', 'Relation »nope« existiert nicht'), 'missing-table', { table: 'nope' }],
  [
    serverError('42703', 'column "c" of relation "t" does not exist'),
    'missing-column',
    { table: 't', column: 'c' },
  ],
  [serverError('42703', 'column "c" does not exist'), 'missing-column', { column: 'c' }],
  [serverError('42703', 'column t.c does not exist'), 'missing-column', { table: 't', column: 'c' }],
  [serverError('42501', 'permission denied for table t'), 'not-allowed', {}],
  [serverError('25006'), 'not-allowed', {}],
  [serverError('28P01'), 'not-allowed', {}],
  [
    serverError('23505', '', { table: 't', constraint: 't_pkey' }),
    'unique',
    { table: 't', constraint: 't_pkey' },
  ],
  [
    serverError('23505', '', { table_name: 't', constraint_name: 't_pkey' }),
    'unique',
    { table: 't', constraint: 't_pkey' },
  ],
  [serverError('23503'), 'foreign-key', {}],
  [serverError('23514'), 'check', {}],
  [serverError('23502', '', { table: 't', column: 'c' }), 'check', { table: 't', column: 'c' }],
  [serverError('25P02'), 'aborted-transaction', {}],
  [serverError('54000'), 'too-large', {}],
  [serverError('22001'), 'too-large', {}],
  [serverError('40001'), 'contended', {}],
  [serverError('40P01'), 'contended', {}],
  [serverError('55P03'), 'unreachable', {}],
  [serverError('57014'), 'unreachable', {}],
  [serverError('57P03'), 'unreachable', {}],
  [serverError('53300'), 'unreachable', {}],
  [serverError('57P01'), 'unanswered', {}],
  [serverError('08006'), 'unanswered', {}],
  [serverError('ECONNREFUSED'), 'unreachable', {}],
  [serverError('ECONNRESET'), 'unanswered', {}],
  [serverError('CONNECTION_CLOSED'), 'unanswered', {}],
  [serverError('22021'), 'other', {}],
  [serverError('42601'), 'other', {}],
  [new Error('timeout exceeded when trying to connect'), 'unreachable', {}],
  [new Error('Cannot use a pool after calling end on the pool'), 'unreachable', {}],
  [new Error('Client has encountered a connection error and is not queryable'), 'unreachable', {}],
  [new Error('Connection terminated unexpectedly'), 'unanswered', {}],
  [new Error('Query read timeout'), 'unanswered', {}],
  [new Error('Failed query', { cause: serverError('40001') }), 'contended', {}],
  [new Error('who knows'), 'other', {}],
]

for (const [error, kind, names] of faults) {
  const { code = '' } = error as { code?: string }
  test(`${code} "${error.message}" is ${kind}`, () => {
    const fault = postgresFault(error)
    const { code: _, ...told } = fault.names
    const given = Object.entries(told).filter(([, value]) => value !== undefined)
    assert.deepEqual({ kind: fault.kind, names: Object.fromEntries(given) }, { kind, names })
  })
}
