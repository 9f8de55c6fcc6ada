import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toDraft } from '../../src/cli/ingest/draft.ts'
import { createJoiner, type Format } from '../../src/cli/ingest/joiner.ts'

const options = { identity: 'a file', fileName: 'app.log', fallbackSource: 'app', ownIds: true }

/** The events that these lines make, or why one cannot be an event. */
function drafts(text: string, format: Format = 'auto') {
  const joiner = createJoiner(format, () => ({ now: Date.UTC(2026, 11, 1), utc: true }))
  let offset = 0
  const lines = text.split('\n').map((line, at) => {
    const raw = { text: line, offset, number: at + 1 }
    offset += Buffer.byteLength(line) + 1
    return raw
  })
  const entries = [
    ...lines.filter(({ text: line }) => line.trim() !== '').map((line) => joiner.push(line)),
    joiner.flush(),
  ]
  return entries
    .filter((entry) => entry !== undefined)
    .map((entry) => ('broken' in entry ? { broken: entry.broken } : toDraft(entry, options)))
}

function messages(text: string, format?: Format) {
  return drafts(text, format).map((draft) => ('broken' in draft ? `broken: ${draft.broken}` : draft.message))
}

describe('lines that belong together', () => {
  test('a stack of the JVM joins the line of its logger, with its causes', () => {
    const [draft, ...others] = drafts(`2026-11-30 10:00:00,000 ERROR [main] com.example.Shop: no stock
java.lang.IllegalStateException: order 7
	at com.example.Shop.place(Shop.java:12)
	at com.example.Shop.main(Shop.java:3)
Caused by: java.sql.SQLException: gone
	at org.driver.Connection.open(Connection.java:99)
	... 2 more`)
    assert.equal(others.length, 0)
    assert.ok(draft !== undefined && !('broken' in draft))
    assert.equal(draft.message, 'no stock')
    assert.deepEqual(draft.exception, {
      values: [
        {
          type: 'java.sql.SQLException',
          value: 'gone',
          stacktrace: {
            frames: [
              { function: 'open', module: 'org.driver.Connection', filename: 'Connection.java', lineno: 99 },
            ],
          },
        },
        {
          type: 'java.lang.IllegalStateException',
          value: 'order 7',
          stacktrace: {
            frames: [
              { function: 'main', module: 'com.example.Shop', filename: 'Shop.java', lineno: 3 },
              { function: 'place', module: 'com.example.Shop', filename: 'Shop.java', lineno: 12 },
            ],
          },
        },
      ],
    })
  })

  test('a bare traceback of Python is named by its last line; the next line is another event', () => {
    const [first, second] = drafts(`Traceback (most recent call last):
  File "/srv/shop.py", line 3, in place
    raise ValueError("no stock")
ValueError: no stock
ready`)
    assert.ok(first !== undefined && !('broken' in first) && second !== undefined && !('broken' in second))
    assert.equal(first.message, 'ValueError: no stock')
    assert.deepEqual(first.exception, {
      values: [
        {
          type: 'ValueError',
          value: 'no stock',
          stacktrace: { frames: [{ function: 'place', filename: '/srv/shop.py', lineno: 3 }] },
        },
      ],
    })
    assert.equal(second.message, 'ready')
  })

  test('a chain of tracebacks is one event', () => {
    const text = `ERROR:root:failed
Traceback (most recent call last):
  File "a.py", line 1, in f
    g()
KeyError: 'a'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 2, in h
    raise RuntimeError("b")
RuntimeError: b
INFO:root:next`
    assert.deepEqual(messages(text), ['failed', 'next'])
  })

  test('a stack of JavaScript', () => {
    const [draft] = drafts(`TypeError: x is not a function
    at place (file:///srv/shop.js:3:9)
    at async /srv/main.js:1:1`)
    assert.ok(draft !== undefined && !('broken' in draft))
    assert.deepEqual(draft.exception, {
      values: [
        {
          type: 'TypeError',
          value: 'x is not a function',
          stacktrace: {
            frames: [
              { filename: '/srv/main.js', lineno: 1 },
              { function: 'place', filename: 'file:///srv/shop.js', lineno: 3 },
            ],
          },
        },
      ],
    })
  })

  test('plain lines, dated lines and lines with a level of their own stay events', () => {
    assert.deepEqual(messages('one\ntwo\n\nthree'), ['one', 'two', 'three'])
    assert.deepEqual(
      messages('2026-11-30 10:00:00 INFO a.b: one\nplain\n2026-11-30 10:00:01 INFO a.b: two'),
      ['one', 'plain', 'two'],
    )
    assert.deepEqual(messages('INFO: one\n  ERROR: two'), ['one', 'two'])
  })

  test('an indented line belongs to the event before it, also in a message of several lines', () => {
    const [draft] = drafts('2026-11-30 10:00:00 ERROR select failed\n  select *\n  from t')
    assert.ok(draft !== undefined && !('broken' in draft))
    assert.equal(draft.stack, 'select failed\n  select *\n  from t')
  })
})

describe('lines of JSON', () => {
  test('each is one event, whichever logger wrote it', () => {
    const [pino, zap, journal, docker] =
      drafts(`{"level":50,"time":1764554400000,"name":"shop","msg":"no stock"}
{"level":"warn","ts":1764554400.5,"logger":"orders","msg":"slow"}
{"PRIORITY":"3","__REALTIME_TIMESTAMP":"1764554400000000","SYSLOG_IDENTIFIER":"sshd","MESSAGE":"refused"}
{"log":"ready\\n","stream":"stdout","time":"2026-11-30T10:00:00.123456789Z"}`) as Record<string, unknown>[]
    const brief = ({ level, at, source, message }: Record<string, unknown> = {}) => [
      level,
      at,
      source,
      message,
    ]
    assert.deepEqual(brief(pino), ['error', 1764554400000, 'shop', 'no stock'])
    assert.deepEqual(brief(zap), ['warning', 1764554400500, 'orders', 'slow'])
    assert.deepEqual(brief(journal), ['error', 1764554400000, 'sshd', 'refused'])
    assert.deepEqual(brief(docker), ['info', Date.UTC(2026, 10, 30, 10, 0, 0, 123), 'app', 'ready'])
  })

  test('what it holds is kept with the event, its id is its own', () => {
    const [draft] = drafts('{"id":"a-1","message":"no stock","order":7}') as Record<string, unknown>[]
    assert.equal(draft?.id, 'a-1')
    assert.deepEqual(draft?.fields, { id: 'a-1', message: 'no stock', order: 7 })
  })

  test('an error object becomes an exception with its stack', () => {
    const stack = 'RangeError: too far\n    at go (/srv/a.js:1:2)'
    const [draft] = drafts(
      JSON.stringify({ err: { type: 'RangeError', message: 'too far', stack } }),
    ) as Record<string, unknown>[]
    assert.equal(draft?.message, 'too far')
    assert.equal(draft?.level, 'error')
    assert.deepEqual(draft?.exception, { type: 'RangeError', value: 'too far' })
  })

  test('a broken line is text, or broken where only JSON is expected; its neighbours are kept', () => {
    const text = '{"msg":"one"}\n{"msg":\n{"msg":"two"}'
    assert.deepEqual(messages(text), ['one', '{"msg":', 'two'])
    assert.deepEqual(messages(text, 'jsonl'), ['broken: the line is not a JSON object', 'one', 'two'])
  })
})

describe('ids of events', () => {
  const ids = (text: string, more: object = {}) =>
    drafts(text).map((draft) => ('broken' in draft ? '' : { ...draft, ...more }.id))

  test('the same place of the same file has the same id; equal lines have different ones', () => {
    assert.deepEqual(ids('one\none'), ids('one\none\ntwo').slice(0, 2))
    assert.equal(new Set(ids('one\none')).size, 2)
  })

  test('a stack that was still being written changes nothing', () => {
    assert.deepEqual(ids('ERROR: a\n\tat b'), ids('ERROR: a\n\tat b\n\tat c'))
  })
})
