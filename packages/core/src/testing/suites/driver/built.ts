import { installSchemas } from '../../../install/installer.ts'
import { atomic } from '../../../port/atomic.ts'
import { grouped } from '../../../port/grouped.ts'
import { markersSchema, sweepMarkers } from '../../../port/markers.ts'
import { probe } from '../../../port/probe.ts'
import { sql } from '../../../port/sql.ts'
import { equal, rejects, throws } from '../../assert.ts'
import type { Case } from '../../suite.ts'
import { add, held, put, run, say, tables } from './given.ts'

const insert = (id: string) =>
  sql`insert into sample (id, amount) values (${id}, 1) on conflict (id) do nothing returning id`

/** What is built on the port, on this engine. */
export const builtCases: readonly Case[] = [
  {
    name: 'atomic: done as a whole, or refused by a condition that is named',
    needs: ['atomic'],
    async run({ driver }) {
      await tables(driver)
      const done = await atomic(driver)
        .write(insert('a'), { expect: 1 })
        .check(sql`select id from sample where id = ${'a'}`)
        .write(sql`update sample set amount = 5 where id = ${'a'} returning amount`, { expect: 1 })
        .commit()
      equal(done.ok && done.rows.map((rows) => rows.map((row) => ({ ...row }))), [
        [{ id: 'a' }],
        [{ id: 'a' }],
        [{ amount: 5 }],
      ])
      const refused = await atomic(driver)
        .write(insert('b'), { expect: 1 })
        .check(sql`select id from sample where id = ${'z'}`, { name: 'is there', expect: 1 })
        .commit()
      const failed = { index: 1, name: 'is there', expected: 1, actual: 0 }
      equal(refused, { ok: false, reason: 'condition', failed })
      equal(await held(driver), ['a=5'])
    },
  },
  {
    name: 'atomic: an idempotency key is carried out once, however many commit it at once',
    needs: ['atomic'],
    async run({ driver }) {
      await installSchemas(driver, [markersSchema])
      await tables(driver)
      await driver.execute(put(driver, 'a'))
      const pay = () =>
        atomic(driver, { idempotencyKey: 'payment 7', now: 1000 })
          .write(sql`update sample set amount = amount + 1 where id = ${'a'} returning id`, { expect: 1 })
          .commit()
      const results = await Promise.all(Array.from({ length: 8 }, pay))
      equal(results.map((result) => result.ok && result.replayed).sort(), [
        false,
        ...Array<boolean>(7).fill(true),
      ])
      equal(await held(driver), ['a=2'])
      equal(await sweepMarkers(driver, { now: 5000, retention: 1000 }), { removed: 1, more: false })
      equal(await sweepMarkers(driver), { removed: 0, more: false })
    },
  },
  {
    name: 'atomic: refused on a driver without an atomic batch, before any SQL',
    async run({ driver }) {
      throws(() => atomic({ ...driver, atomicBatch: false }), { code: 'INVALID_INPUT' })
    },
  },
  {
    name: 'grouped: each of many calls at once has its own answer',
    async run({ driver }) {
      await tables(driver)
      const many = grouped(driver)
      const wins = await Promise.all(
        Array.from({ length: 60 }, (_, index) => many.execute(put(driver, `k${index % 20}`))),
      )
      equal(wins.filter((rows) => rows.length === 1).length, 20)
      const answers = await Promise.allSettled([
        many.execute(put(driver, 'a')),
        many.execute(say(driver, 'wrong', sql`insert into nowhere (id) values (1)`)),
        many.execute(say(driver, 'taken', sql`insert into sample (id) values ('k0')`)),
        many.execute(put(driver, 'b')),
      ])
      equal(
        answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.length : answer.reason.code)),
        [1, 'SCHEMA', 'ENGINE', 1],
      )
      const [row] = await run(driver, sql`select count(*) as n from sample`)
      equal(row?.n, 22)
    },
  },
  {
    name: 'grouped: a batch among other calls keeps its word',
    needs: ['atomic'],
    async run({ driver }) {
      await tables(driver)
      const many = grouped(driver)
      await driver.execute(put(driver, 'taken'))
      const answers = await Promise.allSettled([
        many.execute(put(driver, 'a')),
        many.batch([put(driver, 'b', 1), add(driver, 'nobody', 1, 'some')]),
        many.batch([put(driver, 'c', 1), add(driver, 'taken', 1, 1)]),
        many.execute(put(driver, 'd')),
      ])
      equal(
        answers.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
      )
      equal(await held(driver), ['a=1', 'c=1', 'd=1', 'taken=2'])
      await rejects(many.batch([put(driver, 'a', 1)]), { code: 'GUARD_FAILED' })
    },
  },
  {
    name: 'probe: finds that all holds, and leaves nothing behind',
    needs: ['atomic'],
    async run({ driver }) {
      const { ok, findings } = await probe(driver)
      equal(
        findings.filter(({ holds }) => !holds),
        [],
      )
      equal(ok, true)
      equal((await probe(driver)).ok, true)
    },
  },
]
