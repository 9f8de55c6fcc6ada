import type { Driver, Row } from '@rowlock/core'
import type { Database } from '../../database.ts'

/** What an engine says about itself, asked for by name. */
export interface Settings {
  readonly [name: string]: string
}

const questions: Readonly<Record<Database['kind'], Readonly<Record<string, string>>>> = {
  sqlite: {
    version: 'select sqlite_version() as value',
    journal_mode: 'pragma journal_mode',
    synchronous: 'pragma synchronous',
    quick_check: 'pragma quick_check(5)',
  },
  postgres: {
    version: 'show server_version',
    fsync: 'show fsync',
    synchronous_commit: 'show synchronous_commit',
    full_page_writes: 'show full_page_writes',
    read_only: 'show default_transaction_read_only',
  },
}

/** The settings of an engine that decide whether what it has confirmed is kept. */
export async function readSettingsOf({ kind, driver }: Database): Promise<Settings> {
  const settings: Record<string, string> = {}
  for (const [name, text] of Object.entries(questions[kind])) {
    const rows = await driver.execute({ name: `doctor.${name}`, text, values: [] })
    settings[name] = rows.map((row) => String(Object.values(row)[0])).join('; ')
  }
  return settings
}

const COUNTS = `select
  (select count(*) from rowlock_outbox where state = 'dead') as dead,
  (select count(*) from rowlock_outbox where state in ('pending', 'leased')) as open,
  (select count(*) from rowlock_rejected) as rejected,
  (select count(*) from rowlock_issues) as issues,
  (select count(*) from rowlock_destinations where removed_at is null and enabled = 0) as disabled,
  (select count(*) from rowlock_tokens where revoked_at is null and scopes like '%admin%') as admins`

export interface Counts {
  readonly dead: number
  readonly open: number
  readonly rejected: number
  readonly issues: number
  readonly disabled: number
  readonly admins: number
}

/** How much there is of what should be little. */
export async function readCounts(driver: Driver): Promise<Counts> {
  const [row] = await driver.execute({ name: 'doctor.counts', text: COUNTS, values: [] })
  const count = (name: keyof Counts) => Number((row as Row)[name])
  return {
    dead: count('dead'),
    open: count('open'),
    rejected: count('rejected'),
    issues: count('issues'),
    disabled: count('disabled'),
    admins: count('admins'),
  }
}
