import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { takeSnapshot } from '../../src/testing/snapshot.ts'

function contents(database: DatabaseSync, query: string): unknown[] {
  return database
    .prepare(query)
    .all()
    .map((row) => Object.values(row))
}

test('rows come back as they were: types, rowids, counters, children before parents or behind', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(`
    create table parent (id integer primary key autoincrement, note) ;
    create table child (parent integer references parent (id), b blob, r real, big integer);
    create table keyed (key text primary key not null) without rowid;
    insert into parent (note) values ('a'), (5), (5.5), (null);
    delete from parent where id = 4;
    insert into child (rowid, parent, b, r, big) values (7, 1, x'00ff', 5.0, 9007199254740993);
    insert into keyed values ('b'), ('a')`)
  const all = () => [
    contents(database, 'select id, note, typeof(note) from parent'),
    contents(database, 'select rowid, parent, hex(b), typeof(r), cast(big as text) from child'),
    contents(database, 'select key from keyed'),
    contents(database, 'select name, seq from sqlite_sequence'),
  ]
  const before = all()
  const bringBack = takeSnapshot(database)
  database.exec(`
    insert into parent (note) values ('new'); delete from child; delete from parent where id = 1;
    insert into keyed values ('c'); insert into child (parent) values (2)`)
  assert.notDeepEqual(all(), before)
  assert.equal(bringBack(), true)
  assert.deepEqual(all(), before)
  database.exec(`insert into parent (note) values ('next')`)
  assert.deepEqual(contents(database, 'select max(id) from parent'), [[5]])
  assert.throws(() => database.exec('insert into child (parent) values (99)'), /FOREIGN KEY/)
})

test('it gives up where rows put back would not be a fresh database', () => {
  const changedSchema = new DatabaseSync(':memory:')
  const afterCreate = takeSnapshot(changedSchema)
  changedSchema.exec('create table t (a)')
  assert.equal(afterCreate(), false)

  const withTrigger = new DatabaseSync(':memory:')
  withTrigger.exec('create table t (a); create trigger u after insert on t begin delete from t; end')
  assert.equal(takeSnapshot(withTrigger)(), false)

  const inTransaction = new DatabaseSync(':memory:')
  const open = takeSnapshot(inTransaction)
  inTransaction.exec('begin')
  assert.equal(open(), false)
})
