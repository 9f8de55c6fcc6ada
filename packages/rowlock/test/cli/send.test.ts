import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UnavailableError } from '@rowlock/core'
import type { Batch } from '../../src/cli/ingest/batch.ts'
import { createFlights } from '../../src/cli/ingest/flights.ts'
import type { Patience } from '../../src/cli/ingest/patience.ts'
import { sendBatch } from '../../src/cli/ingest/send.ts'
import { createTally, type EventAnswer } from '../../src/cli/ingest/tally.ts'
import type { Api, Message } from '../../src/cli/target/api.ts'

type Reply = Response | Error

/** A hub that gives these replies in turn, and remembers what it was sent. */
function scripted(replies: readonly Reply[]) {
  const bodies: string[] = []
  const waits: number[] = []
  const left = [...replies]
  const send = async (_method: string, _path: string, { body }: Message = {}) => {
    bodies.push(String(body))
    const reply = left.shift()
    assert.ok(reply !== undefined, 'one request too many')
    if (reply instanceof Error) throw reply
    return reply
  }
  const api = { place: { kind: 'hub', name: 'http://hub.example', origin: '--url' }, send } as unknown as Api
  const patience: Patience = {
    answered() {},
    waitingFor: undefined,
    async wait(_tries, _reason, atLeastMs = 0) {
      waits.push(atLeastMs)
    },
  }
  return { api, patience, bodies, waits, left }
}

function answers(...items: readonly Partial<EventAnswer>[]): Response {
  return Response.json({ items: items.map((item) => ({ accepted: true, duplicate: false, ...item })) })
}

function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify({ code, detail: 'no', status }), { status, headers })
}

const batch = (count: number): Batch => {
  const lines = Array.from({ length: count }, (_, at) => `{"id":"${at}"}`)
  return { lines, places: lines.map((_, at) => `app.log:${at + 1}`) }
}

async function send(replies: readonly Reply[], count = 2) {
  const hub = scripted(replies)
  const tally = createTally()
  for (let event = 0; event < count; event++) tally.addEvent(0)
  const options = {
    api: hub.api,
    project: undefined,
    tally,
    patience: hub.patience,
    signal: new AbortController().signal,
  }
  await sendBatch(batch(count), options)
  assert.equal(hub.left.length, 0)
  return { figures: tally.figures, rejections: tally.rejections, ...hub }
}

describe('sending a batch', () => {
  test('what was known before is a duplicate', async () => {
    const { figures } = await send([
      answers({ issue: 'a', count: 9, won: true }, { issue: 'a', count: 9, duplicate: true }),
    ])
    assert.deepEqual([figures.accepted, figures.duplicates, figures.knownIssues, figures.won], [1, 1, 1, 1])
  })

  test('after a lost answer what is known is ours, and counts once', async () => {
    const lost = new UnavailableError('the connection broke', 'unknown')
    const again = answers(
      { issue: 'a', count: 2, duplicate: true },
      { issue: 'a', count: 2, duplicate: true },
    )
    const { figures, bodies } = await send([lost, again])
    assert.equal(bodies[0], bodies[1])
    assert.deepEqual([figures.accepted, figures.duplicates, figures.unanswered], [2, 0, 0])
    assert.deepEqual([figures.newIssues, figures.won, figures.wonUnknown], [1, 1, 0])
  })

  test('a lost answer about a known issue leaves its win in doubt, and says so', async () => {
    const again = answers(
      { issue: 'a', count: 9, duplicate: true },
      { issue: 'a', count: 9, duplicate: true },
    )
    const { figures } = await send([problem(503, 'UNAVAILABLE'), again])
    assert.deepEqual([figures.newIssues, figures.knownIssues, figures.won, figures.wonUnknown], [0, 1, 0, 1])
  })

  test('when nothing was sent, or it was shed, what is known was known before', async () => {
    const known = () =>
      answers({ issue: 'a', count: 9, duplicate: true }, { issue: 'a', count: 9, duplicate: true })
    const refused = await send([new UnavailableError('nothing listens there', 'no'), known()])
    assert.deepEqual([refused.figures.accepted, refused.figures.duplicates], [0, 2])
    const shed = await send([problem(429, 'TOO_MANY_REQUESTS', { 'retry-after': '2' }), known()])
    assert.deepEqual([shed.figures.accepted, shed.figures.duplicates], [0, 2])
    assert.deepEqual(shed.waits, [2_000])
  })

  test('what is too large goes in halves; a single event that is, is rejected', async () => {
    const { figures, bodies, rejections } = await send(
      [problem(413, 'TOO_LARGE'), answers({ issue: 'a', count: 1 }), problem(413, 'TOO_LARGE')],
      2,
    )
    assert.deepEqual(bodies, ['{"id":"0"}\n{"id":"1"}', '{"id":"0"}', '{"id":"1"}'])
    assert.deepEqual([figures.accepted, figures.rejected], [1, 1])
    assert.equal(rejections[0]?.place, 'app.log:2')
  })

  test('a refusal that asking again does not change ends it', async () => {
    await assert.rejects(send([problem(401, 'UNAUTHENTICATED')]), { code: 'UNAUTHENTICATED', exitCode: 77 })
    await assert.rejects(send([problem(403, 'FORBIDDEN')]), /no/)
  })

  test('each event that is refused tells where it stands and why', async () => {
    const error = { code: 'INVALID_INPUT', message: 'at is "never"' }
    const { figures, rejections } = await send([
      answers({ issue: 'a', count: 1 }, { accepted: false, error }),
    ])
    assert.deepEqual([figures.accepted, figures.rejected], [1, 1])
    assert.deepEqual(rejections, [{ place: 'app.log:2', reason: 'at is "never"' }])
  })
})

describe('new issues and known ones', () => {
  const told = (...requests: readonly (readonly Partial<EventAnswer>[])[]) => {
    const tally = createTally()
    for (const items of requests) {
      tally.answer(
        items.map((item) => ({ accepted: true, duplicate: false, issue: 'a', ...item })),
        [],
        false,
      )
    }
    return tally.figures.newIssues === 1 ? 'new' : 'known'
  }

  test('in whatever order the answers come', () => {
    assert.equal(told([{ count: 1 }], [{ count: 3 }, { count: 3 }]), 'new')
    assert.equal(told([{ count: 3 }, { count: 3 }], [{ count: 1 }]), 'new')
  })

  test('counted together in one commit', () => {
    assert.equal(told([{ count: 3 }], [{ count: 3 }, { count: 3 }]), 'new')
  })

  test('while others send too', () => {
    assert.equal(told([{ count: 1 }], [{ count: 70 }]), 'new')
    assert.equal(told([{ count: 2 }], [{ count: 70 }]), 'known')
  })
})

test('a few flights at a time, and the first failure is heard', async () => {
  const flights = createFlights(2)
  const ends: (() => void)[] = []
  let running = 0
  const fly = () => {
    running += 1
    return new Promise<void>((resolve) => ends.push(resolve)).finally(() => {
      running -= 1
    })
  }
  await flights.add(fly)
  await flights.add(fly)
  const third = flights.add(fly)
  assert.equal(running, 2)
  ends[0]!()
  await third
  assert.equal(running, 2)
  ends[1]!()
  ends[2]!()
  await flights.done()
  await flights.add(() => Promise.reject(new Error('lost')))
  await assert.rejects(flights.done(), /lost/)
})
