import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGather } from '../../src/events/gather.ts'
import type { Answer, ReadEvent } from '../../src/events/types.ts'

const event = (eventId: string) => ({ eventId }) as ReadEvent
const answerTo = ({ eventId }: ReadEvent) => ({ accepted: true, id: eventId }) as Answer

/** A gather whose moments and commits the test decides. */
function open() {
  const groups: { ids: string[]; commit(): void; fail(error: Error): void }[] = []
  const moments: (() => void)[] = []
  let now = 0
  const gather = createGather({
    clock: () => now,
    later: (work) => void moments.push(work),
    write: (events) =>
      new Promise((resolve, reject) => {
        groups.push({
          ids: events.map(({ eventId }) => eventId),
          commit: () => resolve(events.map(answerTo)),
          fail: reject,
        })
      }),
  })
  const turn = () => moments.splice(0).map((work) => work()).length
  /** Turns of the loop until nothing is planned; tells how many there were. */
  const moment = () => {
    let turns = 0
    while (turn() > 0) turns += 1
    return turns
  }
  const at = (instant: number) => {
    now = instant
  }
  return { gather, groups, turn, moment, at }
}

test('what comes in one moment is one group; what comes during a commit is the next', async () => {
  const { gather, groups, moment } = open()
  const first = [gather.add([event('a'), event('b')]), gather.add([event('c')])]
  assert.equal(moment(), 2, 'a turn that brought more, and one that did not')
  const second = gather.add([event('d')])
  assert.equal(moment(), 0, 'no second commit beside the first')
  assert.deepEqual(
    groups.map(({ ids }) => ids),
    [['a', 'b', 'c']],
  )
  assert.equal(gather.waiting, 4)
  groups[0]?.commit()
  assert.deepEqual(
    (await Promise.all(first)).map((answers) => answers.map((answer) => answer.accepted && answer.id)),
    [['a', 'b'], ['c']],
  )
  assert.equal(moment(), 1)
  groups[1]?.commit()
  assert.equal((await second).length, 1)
  assert.equal(gather.waiting, 0)
})

test('a group waits while each turn brings more, but not for ever', async () => {
  const { gather, groups, turn } = open()
  gather.add([event('0')])
  let turns = 0
  while (groups.length === 0 && turns < 100) {
    gather.add([event(String(turns))])
    turn()
    turns += 1
  }
  assert.equal(turns, 8)
  assert.equal(groups[0]?.ids.length, 9)
})

test('a group that fails fails for its own, and the next goes on', async () => {
  const { gather, groups, moment } = open()
  const lost = gather.add([event('a')])
  moment()
  const kept = gather.add([event('b')])
  groups[0]?.fail(new Error('no database'))
  await assert.rejects(lost, /no database/)
  moment()
  groups[1]?.commit()
  assert.equal((await kept).length, 1)
})

test('a group is bounded, and one large request is a group of its own', async () => {
  const { gather, groups, moment } = open()
  const many = (count: number) => Array.from({ length: count }, (_, n) => event(String(n)))
  const all = [gather.add(many(1_500)), gather.add(many(600)), gather.add(many(5_000)), gather.add(many(1))]
  for (let group = 0; group < 4; group++) {
    moment()
    groups[group]?.commit()
    await new Promise(setImmediate)
  }
  await Promise.all(all)
  assert.deepEqual(
    groups.map(({ ids }) => ids.length),
    [1_500, 600, 5_000, 1],
  )
})

test('since when the oldest waits, and when nothing waits any more', async () => {
  const { gather, groups, moment, at } = open()
  assert.equal(gather.oldestAt, undefined)
  await gather.drain()
  at(100)
  const first = gather.add([event('a')])
  at(200)
  moment()
  const second = gather.add([event('b')])
  assert.equal(gather.oldestAt, 100)
  let drained = false
  const drain = gather.drain().then(() => {
    drained = true
  })
  groups[0]?.commit()
  await first
  assert.equal(gather.oldestAt, 200)
  assert.equal(drained, false)
  moment()
  groups[1]?.commit()
  await Promise.all([second, drain])
  assert.equal(gather.oldestAt, undefined)
})
