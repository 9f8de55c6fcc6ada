import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testBrowser } from './chromium.ts'
import { freshDatabase, testPostgres } from './postgres.ts'
import { testD1 } from './workerd.ts'

test('PostgreSQL answers, in a database of its own', async () => {
  const server = await testPostgres()
  const { url, drop } = await freshDatabase(server)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select current_setting('server_version_num')::int >= 140000 as modern`)
  assert.deepEqual(rows, [{ modern: true }])
  await client.end()
  await drop()
  await server.stop()
})

test("D1 answers inside Cloudflare's runtime", async () => {
  const worker = await testD1()
  assert.equal(await (await worker.fetch('/')).text(), 'ok')
  const database = (await worker.database()) as unknown as {
    prepare(text: string): { all(): Promise<{ results: unknown[] }> }
  }
  assert.deepEqual((await database.prepare('select 1 + 1 as two').all()).results, [{ two: 2 }])
  await worker.dispose()
})

test('the browser shows a page, with web security on', async () => {
  const browser = await testBrowser()
  const page = await browser.newPage()
  await page.setContent('<h1>Rowlock</h1><input type="password" value="secret">')
  assert.equal(await page.textContent('h1'), 'Rowlock')
  assert.ok((await page.screenshot()).length > 1000)
  await browser.close()
})
