import { installSchemas, schemaStates } from '../../install/installer.ts'
import { sqlFiles } from '../../install/sql-files.ts'
import { identifier, sql, statement } from '../../port/sql.ts'
import { equal, ok, rejects } from '../assert.ts'
import type { Case, Suite } from '../suite.ts'
import { faulty, idsIn, later, released, SUM, TABLE } from './install/samples.ts'

const cases: readonly Case[] = [
  {
    name: 'applies what is missing, once',
    async run({ driver }) {
      equal((await installSchemas(driver, [released])).applied, [TABLE])
      equal((await installSchemas(driver, [released])).applied, [])
      equal((await installSchemas(driver, [later])).applied, [SUM])
      equal(await installSchemas(driver, [later]), { applied: [], statements: [] })
      equal(await idsIn(driver), [1])
    },
  },
  {
    name: 'writes down what was applied, and when by the clock of the database',
    async run({ driver }) {
      await installSchemas(driver, [later])
      const { dialect } = driver
      const text = sql`select module, number, name, ${dialect.clock} - applied_at as age from ${identifier('rowlock_migrations')} order by number`
      const rows = await driver.execute(statement(dialect, text, { name: 'test.migrations' }))
      equal(
        rows.map(({ module, number, name }) => ({ module, number, name })),
        [TABLE, SUM],
      )
      for (const { age } of rows) ok(Number(age) >= 0 && Number(age) < 60_000, `${age} ms ago`)
    },
  },
  {
    name: 'tells what it would run, and runs nothing',
    async run({ driver }) {
      const { applied, statements } = await installSchemas(driver, [later], { dryRun: true })
      equal(applied, [TABLE, SUM])
      equal(
        statements.map((text) => /^\w+ \w+/.exec(text)?.[0]),
        ['create table', 'create table', 'insert into', 'insert into', 'insert into'],
      )
      const [state] = await schemaStates(driver, [later])
      equal(state, { module: 'sample', applied: [], missing: [1, 2], state: 'behind' })
      await rejects(idsIn(driver), { code: 'SCHEMA', problem: 'missing-table' })
    },
  },
  {
    name: 'a dry run of an old database tells the rest only',
    async run({ driver }) {
      await installSchemas(driver, [released])
      const { applied } = await installSchemas(driver, [later], { dryRun: true })
      equal(applied, [SUM])
      equal(await idsIn(driver), [])
    },
  },
  {
    name: 'too old is noticed by who may not change the schema',
    async run({ driver }) {
      const required = () => schemaStates(driver, [later], { require: true })
      const behind = { code: 'SCHEMA', problem: 'version' }
      await rejects(required, {
        ...behind,
        details: { problem: 'version', module: 'sample', missing: [1, 2] },
      })
      await installSchemas(driver, [released])
      await rejects(required, { ...behind, details: { problem: 'version', module: 'sample', missing: [2] } })
      await installSchemas(driver, [later])
      equal((await required())[0]!.state, 'current')
    },
  },
  {
    name: 'too new is noticed, and nothing is changed',
    async run({ driver }) {
      await installSchemas(driver, [later])
      const details = { problem: 'version', module: 'sample', known: 1, applied: 2 }
      await rejects(installSchemas(driver, [released]), { code: 'SCHEMA', problem: 'version', details })
      await rejects(schemaStates(driver, [released], { require: true }), { problem: 'version' })
      equal((await schemaStates(driver, [released]))[0]!.state, 'ahead')
    },
  },
  {
    name: 'a migration that fails leaves nothing behind and is tried again',
    needs: ['atomic'],
    async run({ driver }) {
      await rejects(installSchemas(driver, [faulty]), { code: 'SCHEMA', problem: 'missing-table' })
      equal(await idsIn(driver), [])
      equal((await schemaStates(driver, [later]))[0]!.missing, [2])
      equal((await installSchemas(driver, [later])).applied, [SUM])
    },
  },
  {
    name: 'every prefix has tables of its own',
    async run({ driver }) {
      await installSchemas(driver, [later], { prefix: 'one_' })
      await installSchemas(driver, [released], { prefix: 'two_' })
      equal(await idsIn(driver, 'one_sample'), [1])
      equal(await idsIn(driver, 'two_sample'), [])
      equal((await schemaStates(driver, [later], { prefix: 'two_' }))[0]!.missing, [2])
    },
  },
  {
    name: 'a prefix that engines would read differently is refused',
    async run({ driver }) {
      for (const prefix of ['', '1a', 'A_', 'a.b', 'a"b', 'a b', 'x'.repeat(33)]) {
        await rejects(installSchemas(driver, [released], { prefix }), { code: 'INVALID_INPUT' })
      }
    },
  },
  {
    name: 'what files applied counts as applied, and files may be applied twice',
    async run({ driver }) {
      const files = sqlFiles(driver.dialect, [released])
      equal(
        files.map(({ name }) => name),
        ['0001_rowlock_sample.sql'],
      )
      const lines = files.flatMap(({ text }) => text.trimEnd().split('\n'))
      for (const line of [...lines, ...lines]) {
        ok(line.endsWith(';'), line)
        await driver.execute({ name: 'file', text: line.slice(0, -1), values: [] })
      }
      equal((await installSchemas(driver, [later])).applied, [SUM])
      equal(await idsIn(driver), [1])
    },
  },
  {
    name: 'a starter that is cut off leaves what the next one completes',
    needs: ['peer', 'atomic', 'crash'],
    async run({ driver, peer, crash }) {
      const next = await peer()
      const starting = installSchemas(driver, [later])
      await Promise.allSettled([starting, crash()])
      await installSchemas(next, [later])
      equal(await idsIn(next), [1])
    },
  },
  {
    name: 'of several starters at once each migration is applied by one, and all return when it is',
    needs: ['peer', 'atomic'],
    async run({ driver, peer }) {
      const drivers = [driver, await peer(), await peer(), await peer()]
      const start = async (each: typeof driver) => {
        const { applied } = await installSchemas(each, [later])
        equal(await idsIn(each), [1], 'the tables must stand when install returns')
        return applied
      }
      const applied = (await Promise.all(drivers.map(start))).flat()
      equal(
        applied.sort((left, right) => left.number - right.number),
        [TABLE, SUM],
      )
    },
  },
]

/** What every engine must show of the installer. */
export const installSuite: Suite = { name: 'install', cases }
