import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClaimCall, checkClaimHistory, createHistoryLog } from '../../src/testing/index.ts'

const won = (holder: string, invokedAt: number, token: number, expiresAt: number): ClaimCall => ({
  verb: 'acquire',
  key: 'k',
  holder,
  invokedAt,
  returnedAt: invokedAt + 10,
  outcome: 'done',
  token,
  expiresAt,
})

const rulesOf = (calls: readonly ClaimCall[]) => checkClaimHistory(calls).map(({ rule }) => rule)

test('one holder after the other, with rising tokens, is right', () => {
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), won('b', 101, 2, 200), won('c', 300, 9, 400)]), [])
})

test('two holders at one instant are found, the exact end included', () => {
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), won('b', 50, 2, 150)]), ['two holders'])
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), won('b', 90, 2, 190)]), ['two holders'])
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), won('b', 91, 2, 190)]), [])
  const long = [won('a', 0, 1, 500), won('b', 20, 2, 40), won('c', 60, 3, 80)]
  assert.deepEqual(rulesOf(long), ['two holders', 'two holders'], 'the long hold meets both')
  const [fault] = checkClaimHistory(long)
  assert.equal(fault!.message, 'a held k from 10 to 500, and b from 30')
})

test('other keys have other holders', () => {
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), { ...won('b', 50, 1, 150), key: 'other' }]), [])
})

test('a release ends a hold where it began, known or not', () => {
  const release = (outcome: ClaimCall['outcome']): ClaimCall => ({
    verb: 'release',
    key: 'k',
    holder: 'a',
    token: 1,
    invokedAt: 40,
    returnedAt: 45,
    outcome,
  })
  const next = won('b', 41, 2, 200)
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), release('done'), next]), [])
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), release('unknown'), next]), [])
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), release('refused'), next]), ['two holders'])
})

test('a renewal makes a hold longer; one whose answer was lost may have', () => {
  const renew = (outcome: ClaimCall['outcome']): ClaimCall => ({
    verb: 'renew',
    key: 'k',
    holder: 'a',
    token: 1,
    invokedAt: 80,
    returnedAt: 85,
    outcome,
    expiresAt: 180,
  })
  const next = won('b', 120, 2, 300)
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), renew('done'), next]), ['two holders'])
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), renew('unknown'), next]), [])
})

test('a win whose answer was lost proves nothing', () => {
  const lost: ClaimCall = { ...won('a', 0, 5, 100), outcome: 'unknown', returnedAt: null }
  assert.deepEqual(rulesOf([lost, won('b', 50, 2, 150)]), [])
})

test('tokens rise: none falls, none is given twice, nothing is done under an old one', () => {
  assert.deepEqual(rulesOf([won('a', 0, 7, 20), won('b', 30, 6, 50)]), ['token fell'])
  assert.deepEqual(rulesOf([won('a', 0, 7, 20), won('b', 30, 7, 50)]), ['token fell'])
  assert.deepEqual(rulesOf([won('a', 0, 7, 90), won('a', 30, 7, 90)]), [], 'the same answer given again')
  const guarded: ClaimCall = {
    verb: 'guarded',
    key: 'k',
    holder: 'a',
    token: 1,
    invokedAt: 170,
    returnedAt: 175,
    outcome: 'done',
  }
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), won('b', 150, 2, 200), guarded]), ['stale token'])
  assert.deepEqual(rulesOf([won('a', 0, 1, 100), won('b', 165, 2, 200), guarded]), [], 'they overlapped')
  assert.deepEqual(
    rulesOf([won('a', 0, 1, 100), won('b', 150, 2, 200), { ...guarded, outcome: 'refused' }]),
    [],
  )
})

test('a log writes down when a call was made and answered, errors as well', async () => {
  let now = 0
  const log = createHistoryLog<ClaimCall>(() => ++now)
  const call = { verb: 'acquire', key: 'k', holder: 'a' } as const
  await log.record(
    async () => 5,
    (answer) => ({
      ...call,
      outcome: 'done',
      token: answer.status === 'fulfilled' ? answer.value : 0,
      expiresAt: 9,
    }),
  )
  const failing = log.record(
    async () => assert.fail('lost'),
    ({ status }) => ({ ...call, outcome: status === 'rejected' ? 'unknown' : 'done' }),
  )
  await assert.rejects(failing, /lost/)
  assert.deepEqual(log.calls, [
    { ...call, invokedAt: 1, returnedAt: 2, outcome: 'done', token: 5, expiresAt: 9 },
    { ...call, invokedAt: 3, returnedAt: 4, outcome: 'unknown' },
  ])
})
