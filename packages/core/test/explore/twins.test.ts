import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Statement } from '../../src/port/driver.ts'
import { claimsVerbs } from './claims-verbs.ts'
import { outboxVerbs } from './outbox-verbs.ts'
import { together } from './together.ts'
import { createWorld, EDGE } from './world.ts'

/** Statements that are wrong, and two verbs that show it. The rules must reject each. */
const twins: readonly {
  readonly name: string
  readonly statement: string
  readonly find: string | RegExp
  readonly instead?: string
  readonly early: string
  readonly late: string
}[] = [
  {
    name: 'everybody wins',
    statement: 'claims.acquire',
    find: /(on conflict[\s\S]*)\nwhere [\s\S]*\n(?=returning)/,
    instead: '$1\n',
    early: 'acquire',
    late: 'acquire',
  },
  {
    name: 'nobody takes over',
    statement: 'claims.acquire',
    find: /do update[\s\S]*(?=returning)/,
    instead: 'do nothing\n',
    early: 'acquire',
    late: 'acquire',
  },
  {
    name: 'renew without the token',
    statement: 'claims.renew',
    find: / and \S+\."token" = \?/,
    early: 'renew',
    late: 'acquire',
  },
  {
    name: 'release without the token',
    statement: 'claims.release',
    find: / and \S+\."token" = \?/,
    early: 'release',
    late: 'acquire',
  },
  {
    name: 'sent without the token',
    statement: 'outbox.sent',
    find: / and token = cast\(\? as bigint\)/,
    early: 'sent',
    late: 'lease',
  },
  {
    name: 'a later message overtakes',
    statement: 'outbox.lease',
    find: 'and e.finished_at is null',
    instead: `and e.state = 'none'`,
    early: 'lease',
    late: 'lease',
  },
  {
    name: 'cancel of what was leased once',
    statement: 'outbox.cancel',
    find: ' and token = 0',
    early: 'retry',
    late: 'cancel',
  },
  {
    name: 'a switch that is not looked at',
    statement: 'outbox.lease',
    find: 'x.destination = d.name',
    instead: 'false',
    early: 'disable',
    late: 'lease',
  },
]

for (const { name, statement, find, instead = '', early, late } of twins) {
  test(`the exploration rejects: ${name}`, async () => {
    let changed = 0
    const world = await createWorld((given) => {
      if (given.name !== statement) return given
      changed += 1
      return replaced(given, find, instead)
    })
    const verb = (wanted: string) => [...claimsVerbs, ...outboxVerbs].find((each) => each.name === wanted)!
    const parts = {
      early: { verb: verb(early), now: EDGE, holder: 'early' },
      late: { verb: verb(late), now: EDGE + 1, holder: 'late' },
    }
    await assert.rejects(together(world, parts, { crash: 'every' }), (error: Error) => {
      assert.equal(error.name, 'ExplorationError')
      assert.doesNotMatch(error.message, / threw /, 'it must be wrong, not fail')
      return true
    })
    assert.ok(changed > 0, 'the twin was never run')
    await world.close()
  })
}

/** Puts another text in place of a piece that must be there; the values that stood in it go with it. */
function replaced(given: Statement, find: string | RegExp, instead: string): Statement {
  const text = given.text.replace(find, instead)
  if (text === given.text) throw new Error(`${given.name} does not hold ${find}`)
  const [begin = ''] = given.text.split(typeof find === 'string' ? find : (find.exec(given.text)?.[0] ?? ''))
  const holes = (piece: string) => piece.split('?').length - 1
  const lost = holes(given.text) - holes(text)
  return { ...given, text, values: given.values.toSpliced(holes(begin), lost) }
}
