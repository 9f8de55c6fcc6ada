import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { start } from '../../packages/rowlock/test/cli/process.ts'
import { documents, rowlock } from '../../packages/rowlock/test/cli/world.ts'
import { freshDatabase, type TestPostgres, testPostgres } from '../engines/postgres.ts'

describe('the command line on PostgreSQL', () => {
  let server: TestPostgres
  let database: Awaited<ReturnType<typeof freshDatabase>>
  before(async () => {
    server = await testPostgres()
    database = await freshDatabase(server)
  })
  after(async () => {
    await database.drop()
    await server.stop()
  })

  test('run: four starters at once on a database without tables, and a fifth: it ran once', async () => {
    const words = ['run', 'nightly', '--ttl', '1h', '--', 'sh', '-c', 'echo ran']
    const four = Array.from({ length: 4 }, () => start(words, { DATABASE_URL: database.url }))
    assert.deepEqual(await Promise.all(four.map(({ ended }) => ended)), [0, 0, 0, 0])
    const fifth = start(words, { DATABASE_URL: database.url })
    assert.equal(await fifth.ended, 0)
    assert.equal([...four, fifth].map(({ out }) => out()).join(''), 'ran\n')
    assert.equal([...four, fifth].map(({ err }) => err()).join(''), '')
  })

  test('ingest, issues and doctor', async () => {
    const input = 'ERROR: disk is full\nERROR: disk is full\nWARN: slow\n'
    const ingested = await rowlock(['ingest', '--json', '--db', database.url, '-'], { input })
    const [figures] = documents(ingested.out)
    assert.deepEqual([figures?.accepted, figures?.newIssues, figures?.won], [3, 2, 2])
    const listed = await rowlock(['issues', '--json', '--db', database.url])
    assert.deepEqual(
      documents(listed.out)
        .map(({ title, count }) => [title, count])
        .sort(),
      [
        ['disk is full', 2],
        ['slow', 1],
      ],
    )
    const examined = await rowlock(['doctor', '--json', '--db', database.url])
    const wrong = documents(examined.out).filter(
      ({ state, what }) => state === 'wrong' && what !== 'durability',
    )
    // The server may run without fsync, for tests; doctor is right to say so.
    assert.deepEqual(wrong, [], examined.err)
  })
})
