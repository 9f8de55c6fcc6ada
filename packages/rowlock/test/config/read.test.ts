import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@rowlock/core'
import { explainConfig, readConfig, type Sources } from '../../src/config/index.ts'

test('without anything it is a hub for this machine', () => {
  const { config, origins } = readConfig()
  assert.deepEqual(config, {
    port: 7766,
    host: '127.0.0.1',
    db: './data/rowlock.db',
    publicUrl: null,
    trustProxy: false,
    allowPrivateDestinations: false,
    window: 3_600_000,
    maxBody: 1_048_576,
    maxQueue: 10_000,
    keepRejected: 7 * 86_400_000,
    keepHours: 90 * 86_400_000,
    keepDeliveries: 30 * 86_400_000,
    checkEvery: 60_000,
    keepPings: 30 * 86_400_000,
    keepDowntimes: 2 * 366 * 86_400_000,
    keepChecks: 30 * 86_400_000,
  })
  assert.ok(Object.values(origins).every((origin) => origin === 'default'))
})

test('a flag goes before the environment, that before the file, and each tells where it came from', () => {
  const { config, origins } = readConfig({
    flags: { port: '1', 'trust-proxy': true },
    environment: {
      PORT: '2',
      DATABASE_URL: 'postgres://app@db.example/rowlock',
      ROWLOCK_WINDOW: '15m',
      ROWLOCK_HOST: '',
    },
    file: {
      path: 'rowlock.json',
      text: '\uFEFF{"port": 3, "window": 5, "host": "0.0.0.0", "maxBody": "2048", "keepHours": "2w"}',
    },
  })
  assert.deepEqual(
    {
      port: config.port,
      trustProxy: config.trustProxy,
      db: config.db,
      window: config.window,
      host: config.host,
      maxBody: config.maxBody,
      keepHours: config.keepHours,
    },
    {
      port: 1,
      trustProxy: true,
      db: 'postgres://app@db.example/rowlock',
      window: 900_000,
      host: '0.0.0.0',
      maxBody: 2048,
      keepHours: 1_209_600_000,
    },
  )
  assert.deepEqual(
    {
      port: origins.port,
      db: origins.db,
      window: origins.window,
      host: origins.host,
      publicUrl: origins.publicUrl,
    },
    {
      port: '--port',
      db: 'DATABASE_URL',
      window: 'ROWLOCK_WINDOW',
      host: 'rowlock.json',
      publicUrl: 'default',
    },
  )
})

test('a wrong value is refused under the name it was given by, with what is accepted', () => {
  const wrong: [Sources, string][] = [
    [{ flags: { port: '70000' } }, '--port'],
    [{ flags: { port: 'http' } }, '--port'],
    [{ flags: { port: true } }, '--port'],
    [{ environment: { PORT: '-1' } }, 'PORT'],
    [{ flags: { db: 'mysql://db/x' } }, '--db'],
    [{ flags: { db: ' ' } }, '--db'],
    [{ flags: { 'public-url': 'hub.example.com' } }, '--public-url'],
    [{ flags: { 'public-url': 'https://hub.example.com/path' } }, '--public-url'],
    [{ flags: { 'trust-proxy': 'maybe' } }, '--trust-proxy'],
    [{ flags: { window: '0' } }, '--window'],
    [{ flags: { window: '1 hour' } }, '--window'],
    [{ flags: { 'max-body': '12' } }, '--max-body'],
    [{ flags: { host: 'a\nb' } }, '--host'],
    [{ file: { path: 'c.json', text: '{"port": "x"}' } }, 'c.json: port'],
    [{ file: { path: 'c.json', text: '{"prot": 1}' } }, 'c.json: "prot"'],
    [{ file: { path: 'c.json', text: '{' } }, 'c.json'],
    [{ file: { path: 'c.json', text: '[]' } }, 'c.json'],
    [{ file: { path: 'c.json', text: '{"constructor": 1}' } }, 'c.json: "constructor"'],
  ]
  for (const [sources, field] of wrong) {
    assert.throws(
      () => readConfig(sources),
      (error) =>
        error instanceof InvalidInputError && error.details.field === field && error.details.accepted !== '',
      field,
    )
  }
})

test('what is printed holds no password', () => {
  for (const db of ['postgres://app:s3cret@db.example/x', 'postgres://app@db.example/x?password=s3cret']) {
    const lines = explainConfig(readConfig({ flags: { db } }))
    assert.ok(!JSON.stringify(lines).includes('s3cret'))
    assert.equal(lines.find(({ name }) => name === 'db')?.origin, '--db')
  }
  assert.equal(explainConfig(readConfig()).find(({ name }) => name === 'db')?.value, './data/rowlock.db')
})
