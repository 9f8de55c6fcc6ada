import { statSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { probe, schemaState } from '@rowlock/core'
import type { Database } from '../../database.ts'
import { hubSchemas } from '../../schema.ts'
import { bytes } from '../output/times.ts'
import { type Finding, note, ok, wrong } from './finding.ts'
import { readSettingsOf, type Settings } from './queries.ts'

/** The engine itself: whether it keeps what it confirms, and does what Rowlock counts on. */
export async function examineEngine(database: Database): Promise<readonly Finding[]> {
  const settings = await readSettingsOf(database)
  const durable = database.kind === 'sqlite' ? sqliteFindings(settings) : postgresFindings(settings)
  return [...durable, ...(await fileFindings(database)), ...(await probeFindings(database))]
}

const RECENT_SQLITE = [3, 35]
const SYNCHRONOUS = ['OFF', 'NORMAL', 'FULL', 'EXTRA']

function sqliteFindings({ version = '', journal_mode, synchronous, quick_check }: Settings): Finding[] {
  const level = Number(synchronous)
  return [
    isAtLeast(version, RECENT_SQLITE)
      ? ok('SQLite', version)
      : wrong('SQLite', version, 'RETURNING needs 3.35 or newer'),
    journal_mode === 'wal'
      ? ok('journal', 'wal')
      : note(
          'journal',
          `${journal_mode}`,
          'wal lets readers go on beside a writer; a hub sets it when it starts',
        ),
    level >= 2
      ? ok('durability', `synchronous ${SYNCHRONOUS[level]}: what was confirmed survives a power cut`)
      : wrong(
          'durability',
          `synchronous ${SYNCHRONOUS[level]}: a power cut may take back what was confirmed`,
        ),
    quick_check === 'ok'
      ? ok('file', 'quick_check finds nothing')
      : wrong('file', `quick_check: ${quick_check}`, 'restore a backup; look at the disk'),
  ]
}

function postgresFindings(settings: Settings): Finding[] {
  const { version = '', fsync, synchronous_commit, full_page_writes, read_only } = settings
  const keeps = fsync === 'on' && full_page_writes === 'on' && synchronous_commit !== 'off'
  const seen = `fsync ${fsync}, synchronous_commit ${synchronous_commit}, full_page_writes ${full_page_writes}`
  return [
    isAtLeast(version, [13, 0])
      ? ok('PostgreSQL', version)
      : note('PostgreSQL', version, '13 or newer is tested'),
    keeps ? ok('durability', seen) : wrong('durability', seen, 'a crash may take back what was confirmed'),
    ...(read_only === 'on' ? [wrong('access', 'transactions are read-only', 'is this a replica?')] : []),
  ]
}

function isAtLeast(version: string, [major = 0, minor = 0]: readonly number[]): boolean {
  const [first = 0, second = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return first > major || (first === major && second >= minor)
}

const LITTLE_BYTES = 1_000_000_000

/** A database in a file: who may read it, and how much room is left. */
async function fileFindings({ kind, location }: Database): Promise<Finding[]> {
  if (kind !== 'sqlite' || location === ':memory:') return []
  const { size, mode } = await stat(location)
  const { bavail, bsize } = await statfs(dirname(location))
  const left = bavail * bsize
  const room = `${bytes(size)} used, ${bytes(left)} left on the disk`
  return [
    left >= LITTLE_BYTES ? ok('room', room) : wrong('room', room, 'a full disk stops every write'),
    process.platform !== 'win32' && (mode & 0o077 & ~folderMask(location)) !== 0
      ? note('access', 'other users of this machine may read the file', `chmod 600 ${location}`)
      : ok('access', 'only its owner may read the file'),
  ]
}

/** A file that others may read in a folder that they may not enter is out of their reach. */
function folderMask(location: string): number {
  return (statSync(dirname(location)).mode & 0o011) === 0 ? 0o077 : 0
}

async function probeFindings({ driver }: Database): Promise<Finding[]> {
  const { findings } = await probe(driver)
  const broken = findings.filter(({ holds }) => !holds)
  if (broken.length === 0) return [ok('rules', `all ${findings.length} things that Rowlock counts on hold`)]
  return broken.map(({ rule, seen }) => wrong('rules', `does not hold: ${rule} (${seen})`))
}

/** Whether the tables are those that this version knows. */
export async function examineSchema({ driver }: Database): Promise<readonly Finding[]> {
  const states = await schemaState(driver, { modules: hubSchemas })
  const off = states.filter(({ state }) => state !== 'current')
  if (off.length === 0) {
    return [ok('tables', states.map(({ module, applied }) => `${module} ${applied.at(-1) ?? 0}`).join(', '))]
  }
  return off.map(({ module, state, missing, applied }) =>
    state === 'ahead'
      ? wrong('tables', `${module} is at ${applied.at(-1)}, newer than this version knows`, 'update rowlock')
      : wrong('tables', `${module} lacks migration ${missing.join(', ')}`, 'rowlock migrate'),
  )
}
