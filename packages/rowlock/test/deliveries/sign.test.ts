import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { webhookId } from '../../src/deliveries/kinds/webhook.ts'
import { winOf } from '../../src/deliveries/notice.ts'
import { isSecret, newSecret, sign } from '../../src/deliveries/sign.ts'

test('the signature of the Standard Webhooks specification’s own example', async () => {
  const signed = await sign(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1_614_265_330_000,
    '{"test": 2432232314}',
  )
  assert.deepEqual(signed, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('text beyond ASCII is signed as the bytes that are sent', async () => {
  const secret = newSecret()
  const signed = await sign(secret, 'id', 5_999, '{"title":"在庫切れ"}')
  const expected = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update('id.5.{"title":"在庫切れ"}', 'utf8')
    .digest('base64')
  assert.equal(signed['webhook-signature'], `v1,${expected}`)
})

test('secrets: new ones are good, malformed ones are not', () => {
  assert.ok(isSecret(newSecret()))
  assert.notEqual(newSecret(), newSecret())
  for (const bad of [
    '',
    'whsec_',
    'whsec_short',
    'abc',
    `whsec_${'!'.repeat(40)}`,
    `whsec_${'A'.repeat(200)}`,
  ]) {
    assert.equal(isSecret(bad), false, bad)
  }
})

test('a dedup key is read from its end, and its id holds no full stop', () => {
  assert.deepEqual(winOf('1-a:b.c:1800:wh-1'), { issue: '1-a:b.c', token: 1800 })
  assert.equal(winOf('nothing'), undefined)
  assert.equal(webhookId('1-a.b:1:wh-1'), '1-a%2Eb:1:wh-1')
})
