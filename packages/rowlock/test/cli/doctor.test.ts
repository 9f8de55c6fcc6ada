import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { documents, rowlock } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'rowlock-doctor-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** What the doctor finds wrong after this SQL. */
async function wrong(name: string, sql: string, state = 'wrong') {
  const db = join(folder, `${name}.db`)
  assert.equal((await rowlock(['migrate', '--db', db])).exitCode, 0)
  const database = new DatabaseSync(db)
  database.exec(sql)
  database.close()
  const { exitCode, out } = await rowlock(['doctor', '--json', '--db', db])
  const found = documents(out).filter((finding) => finding.state === state)
  return { exitCode, found: found.map(({ what, seen }) => `${what}: ${seen}`) }
}

test('a sound database: nothing is wrong, and nothing is left behind', async () => {
  assert.deepEqual(await wrong('sound', ''), { exitCode: 0, found: [] })
  const database = new DatabaseSync(join(folder, 'sound.db'), { readOnly: true })
  const left = database.prepare("select name from sqlite_master where name like 'rowlock_probe%'").all()
  database.close()
  assert.deepEqual(left, [])
})

test('claims that cannot be right', async () => {
  const insert = 'insert into rowlock_claims (key, claimed_at, expires_at, token) values'
  const { exitCode, found } = await wrong(
    'claims',
    `${insert} ('in seconds', 1764554400, 1764558000, 1), ('ahead', 4102444800000, 4102448400000, 1), ('fine', 1, null, 1)`,
  )
  assert.equal(exitCode, 1)
  assert.ok(
    found.some((one) => /^claims: in seconds: claimed_at 1764554400 is in seconds/.test(one)),
    String(found),
  )
  assert.ok(
    found.some((one) => /^claims: ahead: claimed_at 4102444800000 lies in the future/.test(one)),
    String(found),
  )
})

test('deliveries that are overdue or dead', async () => {
  const insert = `insert into rowlock_outbox (topic, destination, dedup_key, payload, not_before, give_up_at, state, token, attempts, run, created_at, finished_at)`
  const { exitCode, found } = await wrong(
    'deliveries',
    `${insert} values ('t', 'd', 'a', '{}', 1764554400000, 4102444800000, 'pending', 0, 0, 'r', 1764554400000, null),
      ('t', 'd', 'b', '{}', 1764554400000, 4102444800000, 'dead', 1, 9, 'r', 1764554400000, 1764554400000)`,
  )
  assert.equal(exitCode, 1)
  assert.match(found[0]!, /^deliveries: 1 open; one has been due for \d+[dy]$/)
  assert.equal(found[1], 'deliveries: 1 dead: given up after all tries')
})

test('tables of another version', async () => {
  const behind = await wrong('behind', `delete from rowlock_migrations where module = 'claims'`)
  assert.deepEqual(behind, { exitCode: 1, found: ['tables: claims lacks migration 1'] })
  const ahead = await wrong('ahead', `insert into rowlock_migrations values ('claims', 99, 'later', 0)`)
  assert.deepEqual(ahead, { exitCode: 1, found: ['tables: claims is at 99, newer than this version knows'] })
})

test('a file that others may read', {
  skip: process.platform === 'win32' ? 'Windows has other rights' : false,
}, async () => {
  chmodSync(folder, 0o755)
  const { found, exitCode } = await wrong('open', '', 'note')
  assert.equal(exitCode, 0)
  assert.ok(found.includes('access: other users of this machine may read the file'), String(found))
})

test('migrate says what it did, shows what it would do, and writes files for D1', async () => {
  const db = join(folder, 'migrated.db')
  const [dry] = documents((await rowlock(['migrate', '--dry-run', '--json', '--db', db])).out)
  const [done] = documents((await rowlock(['migrate', '--json', '--db', db])).out)
  assert.deepEqual(dry?.applied, done?.applied)
  assert.ok((done!.applied as unknown[]).length >= 5)
  assert.match((await rowlock(['migrate', '--db', db])).err, /the tables are up to date/)
  const { out } = await rowlock(['migrate', '--sql-files', join(folder, 'migrations')])
  assert.match(out, /0001_rowlock_claims\.sql\n/)
})
