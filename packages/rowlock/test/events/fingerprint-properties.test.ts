import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fingerprint, maskMessage } from '../../src/events/fingerprint/index.ts'
import { MESSAGE_LIMIT } from '../../src/events/fingerprint/normalise.ts'
import { MASKED_LIMIT } from '../../src/events/fingerprint/scan.ts'

const seed = 20261201
const runs = { seed, numRuns: 3000 }
console.log(`seed ${seed}`)

/** Everything that some mask looks for, so that drawing from it meets the corners between masks. */
const fragment = fc.constantFrom(
  ...(
    'user for from by invalid password FROM host id msg error a b x m ab 1 2 10 123 1a2b deadbeef1 0x1f 1.5 1e5 5 ms s ' +
    'seconds MB bytes . : / \\ - _ + ~ $ @ = , ; ( ) [ ] { } < > " \' ` | & ? ! # * % <num> <host> <str> <user> <value> ' +
    '<date> <cut> 10.0.0.1 ::1 a.com localhost example.co.jp http:// https://a.b/c?d=1 a@b.com 2026-12-01 10:20:30 Mon ' +
    'Dec 2026 UTC ユーザー 「 」 “ ” 年 月 日 秒 分 時 １２３ ｅ é 😀 \u0301 \u00a0 \u3000 \u2028 \0 \u001b[0m ORA-00942 E11000 ' +
    'SQLSTATE 550e8400-e29b-41d4-a716-446655440000 /var/log C:\\a foo.py jk2_init md5 3rd μ ² ﷺ "message" "key" msg="'
  ).split(' '),
  ' ',
  '  ',
  '\t',
  '\ud800',
  '\udc00',
)
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units))
const anyText = fc.oneof(
  { weight: 6, arbitrary: fc.array(fragment, { maxLength: 24 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
  { weight: 1, arbitrary: codeUnits },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.array(fragment, { maxLength: 6 }), fc.integer({ min: 1, max: 400 }))
      .map(([parts, times]) => parts.join('').repeat(times)),
  },
)

test('masking what is masked changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const masked = maskMessage(text)
      assert.equal(maskMessage(masked), masked)
    }),
    runs,
  )
})

test('the masked text is one well-formed line, and bounded', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const masked = maskMessage(text)
      assert.ok(masked.length <= 4 * MASKED_LIMIT, `${masked.length}`)
      assert.doesNotMatch(masked, /[\p{Cc}\u2028\u2029]/u)
      assert.ok(masked.isWellFormed())
      assert.equal(masked.trim(), masked)
    }),
    runs,
  )
})

test('any strings anywhere make a key, and the same one again', () => {
  const frame = fc.record(
    { function: anyText, module: anyText, filename: anyText, abs_path: anyText, in_app: fc.boolean() },
    { requiredKeys: [] },
  )
  const exception = fc.record(
    { type: anyText, value: anyText, stacktrace: fc.record({ frames: fc.array(frame, { maxLength: 4 }) }) },
    { requiredKeys: [] },
  )
  const event = fc.record(
    {
      source: anyText,
      message: anyText,
      fingerprint: fc.array(anyText, { maxLength: 2 }),
      exception: fc.record({ values: fc.array(exception, { maxLength: 2 }) }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(event, (event) => {
      const made = fingerprint(event)
      assert.match(made.key, made.basis === 'explicit' ? /^[A-Za-z0-9._:@-]{1,100}$/ : /^[0-9a-f]{32}$/)
      assert.ok(made.title.length > 0 && made.title.length <= 200)
      assert.ok(made.title.isWellFormed())
      assert.deepEqual(fingerprint(structuredClone(event)), made)
    }),
    { seed, numRuns: 1000 },
  )
})

test('broken input of another type is read as missing', () => {
  fc.assert(
    fc.property(
      fc.record({ message: fc.anything(), exception: fc.anything(), logentry: fc.anything() }),
      (event) => {
        assert.match(fingerprint(event as never).key, /^[0-9a-f]{32}$/)
      },
    ),
    runs,
  )
})

test('another number, UUID or address in the same place is the same message', () => {
  const number = fc.oneof(fc.nat(), fc.bigInt({ min: 0n, max: 10n ** 18n })).map(String)
  const slots: Readonly<Record<string, fc.Arbitrary<string>>> = {
    number,
    uuid: fc.uuid(),
    ipv4: fc.ipV4(),
    ipv6: fc.ipV6().filter((address) => /[0-9]/.test(address) && address.length > 2),
    hash: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 32, maxLength: 32 }),
    port: fc.tuple(fc.ipV4(), fc.integer({ min: 1, max: 65535 })).map(([ip, port]) => `${ip}:${port}`),
    duration: fc
      .tuple(fc.nat(), fc.constantFrom('ms', 's', ' seconds', ' minutes'))
      .map((parts) => parts.join('')),
    size: fc.tuple(fc.nat(), fc.constantFrom('KB', 'MB', ' bytes', 'GiB')).map((parts) => parts.join('')),
    quoted: fc
      .string({ unit: fc.constantFrom(...'abc 019./:-<>'), maxLength: 12 })
      .map((text) => `"${text}"`),
  }
  const word = fc.constantFrom(
    'disk',
    'failed',
    'of',
    'request',
    'worker',
    'slot',
    'ユーザー',
    '接続',
    'jk_init',
    'for',
  )
  const piece = fc.oneof(
    word.map((text) => [text, text] as const),
    ...Object.values(slots).map((slot) => fc.tuple(slot, slot)),
  )
  const gap = fc.constantFrom(' ', ' (', ') ', ', then ', ' = ', '; ')
  const pair = fc.array(fc.tuple(piece, gap), { minLength: 1, maxLength: 8 }).map((pieces) => {
    const side = (which: 0 | 1) => pieces.map(([texts, between]) => `${texts[which]}${between}`).join('')
    return [`start ${side(0)}end`, `start ${side(1)}end`] as const
  })
  fc.assert(
    fc.property(pair, ([left, right]) => assert.equal(maskMessage(left), maskMessage(right))),
    runs,
  )
})

test('only the first 8,192 code units are looked at', () => {
  fc.assert(
    fc.property(anyText, anyText, (head, tail) => {
      const full = head.padEnd(MESSAGE_LIMIT, 'abc 1, ').slice(0, MESSAGE_LIMIT)
      assert.equal(fingerprint({ message: full + tail }).key, fingerprint({ message: full }).key)
    }),
    { seed, numRuns: 300 },
  )
})
