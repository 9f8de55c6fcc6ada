import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Shape, shapeOf } from '../../src/port/shape.ts'

const select: Shape = { kind: 'select', several: false, returning: false, locks: false }
const write: Shape = { kind: 'write', several: false, returning: false, locks: false }
const other: Shape = { kind: 'other', several: false, returning: false, locks: false }

const shapes: readonly (readonly [string, Shape])[] = [
  ['select 1', select],
  ['  -- why\n select 1', select],
  ['/* returning */ SELECT returning_rate from t', select],
  ['values (1), (2)', select],
  ['select 1;', select],
  ["select ';' as separator", select],
  ['select 1; select 2', { ...select, several: true }],
  ['select 1; -- nothing more', select],
  ["update t set a = 'returning'", write],
  ['update t set "returning" = 1', write],
  ['update t set a = $$ returning $$ where b = $1', write],
  ["update t set a = e'it\\'s; returning '", write],
  ["update t set a = 'it''s; returning '", write],
  ['update t set a = replace(a, ?, ?) returning a', { ...write, returning: true }],
  [
    'INSERT INTO t (a) SELECT a FROM u WHERE true ON CONFLICT DO NOTHING\nRETURNING a',
    { ...write, returning: true },
  ],
  ['insert into t select * from (values (1)) v', write],
  [
    'with due as (select id from t limit 1) delete from t using due returning id',
    { ...write, returning: true },
  ],
  ['with w as (update t set a = 1 returning a) select a from w', { ...select, locks: true }],
  ['with w as (select 1) select * from w', select],
  ['select a from t where id = $1 for update', { ...select, locks: true }],
  ['select a from t for no key update skip locked', { ...select, locks: true }],
  ['select a from t for share', { ...select, locks: true }],
  ['select a from t for key share', select],
  ["select a from t where b = 'for update'", select],
  ['select count(*) from (select 1 from t for update) held', { ...select, locks: true }],
  ['create table t (a text)', other],
  ['create trigger x after insert on t begin update t set a = 1; delete from u; end', other],
  ['begin', other],
  ['', other],
]

for (const [text, shape] of shapes) {
  test(`the shape of ${JSON.stringify(text)}`, () => assert.deepEqual(shapeOf(text), shape))
}
