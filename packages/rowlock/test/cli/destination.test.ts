import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { kindOf } from '../../src/cli/commands/destination-fields.ts'
import { documents, rowlock } from './world.ts'

const folder = mkdtempSync(join(tmpdir(), 'rowlock-destination-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Commands on a database of their own. */
function on(name: string) {
  const db = join(folder, `${name}.db`)
  return (words: readonly string[], options: Parameters<typeof rowlock>[1] = {}) =>
    rowlock(['destination', ...words, '--db', db], options)
}

const slack = 'https://hooks.slack.com/services/T012/B345/XXsl4ckS3cr3tXX'

test('the kind is told by the address', () => {
  for (const [to, kind] of [
    [slack, 'slack'],
    ['https://hooks.slack-gov.com/services/a', 'slack'],
    ['https://discord.com/api/webhooks/1/a', 'discord'],
    ['https://canary.discord.com/api/webhooks/1/a', 'discord'],
    ['https://discordapp.com/api/webhooks/1/a', 'discord'],
    ['ops@example.com', 'mail'],
    ['ops@example.com,night@example.com', 'mail'],
    ['R0ut1ngK3yR0ut1ngK3yR0ut1ngK3yRR', 'pagerduty'],
    ['https://example.com/a@b', 'webhook'],
    ['https://hooks.slack.com.example.com/', 'webhook'],
    ['nonsense', 'webhook'],
  ] as const)
    assert.equal(kindOf(to), kind, to)
})

test('a destination of each kind is added, shown without its secret, changed and removed', async () => {
  const run = on('kinds')
  const added = async (words: readonly string[], options = {}) => {
    const { exitCode, out, err } = await run(['add', ...words, '--json'], options)
    assert.equal(exitCode, 0, err)
    return documents(out)[0] as Record<string, unknown>
  }
  const webhook = await added(['https://hooks.example.com/x', '--name', 'Our shop'])
  assert.match(String(webhook.secret), /^whsec_/)
  const chat = await added(['-', '--only', 'outages', '--tags', 'floor-3, floor-4'], { input: `${slack}\n` })
  assert.deepEqual([chat.kind, chat.tags, chat.only], ['slack', ['floor-3', 'floor-4'], 'outages'])
  await added(['https://discord.com/api/webhooks/1/d1sc0rd-T0ken_x'])
  await added(['-', '--kind', 'pagerduty'], { input: 'R0ut1ngK3yR0ut1ngK3yR0ut1ngK3yRR' })
  const letters = await added(
    [
      'a@example.com,b@example.com',
      '--smtp',
      'smtp.example.com:465',
      '--from',
      'r@example.com',
      '--user',
      'r',
    ],
    { environment: { ROWLOCK_SMTP_PASSWORD: 'letmein-please' } },
  )
  assert.deepEqual(
    [letters.host, letters.port, letters.security, letters.to],
    ['smtp.example.com', 465, 'tls', ['a@example.com', 'b@example.com']],
  )
  const list = await run(['list'])
  assert.match(list.out, /slack\s+1\s+on\s+outages \(floor-3, floor-4\)/)
  assert.match(list.out, /Our shop: https:\/\/hooks\.example\.com\/x/)
  const all = list.out + (await run(['list', '--json'])).out
  assert.doesNotMatch(all, /sl4ck|T0ken|R0ut1ng|letmein|whsec/)

  const set = await run(['set', String(chat.id), '--only', 'all', '--tags', ''])
  assert.equal(set.out, `${chat.id} is changed: https://hooks.slack.com/services/T012/B345/…, gets all\n`)
  const moved = await run(['set', String(letters.id), '--to', 'c@example.com', '--json'], {
    environment: { ROWLOCK_SMTP_PASSWORD: 'of something else' },
  })
  assert.deepEqual(documents(moved.out)[0]?.to, ['c@example.com'])
  assert.equal((await run(['remove', String(chat.id)])).out, `${chat.id} is removed\n`)
  assert.equal((await run(['set', String(chat.id), '--tags', 'a'])).exitCode, 66)
})

test('what is wrong is named, and a secret is not repeated', async () => {
  const run = on('wrong')
  for (const [words, says, input] of [
    [['add', 'https://example.com/', '--kind', 'fax'], /--kind is "fax"/, ''],
    [['add', 'https://example.com/', '--only', 'some'], /--only is "some"/, ''],
    [['add', 'a@example.com', '--smtp', 'a:b:c', '--from', 'r@example.com'], /--smtp is "a:b:c"/, ''],
    [['add', 'a@example.com', '--from', 'r@example.com'], /host/, ''],
    [['add', '-', '--kind', 'pagerduty'], /routingKey is missing or malformed/, 'S3cr3t'],
    [['add', '-', '--kind', 'slack'], /url is no http address/, 'S3cr3t'],
    [['add', '-'], /url is empty/, ''],
    [['add', 'https://example.com/', '--password', 'S3cr3t'], /password is no field of a destination/, ''],
  ] as const) {
    const { exitCode, err, out } = await run(words, { input })
    assert.equal(exitCode, 64, err)
    assert.match(err, says)
    assert.doesNotMatch(out + err, /S3cr3t/)
  }
})
