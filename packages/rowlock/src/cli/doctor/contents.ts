import { createClaims, type Suspicion } from '@rowlock/core/claims'
import { createOutbox } from '@rowlock/core/outbox'
import type { Database } from '../../database.ts'
import { createDeliveries } from '../../deliveries/deliveries.ts'
import { createGround } from '../../ground.ts'
import { figure, roughly } from '../output/times.ts'
import { printable } from '../output/width.ts'
import { type Finding, note, ok, wrong } from './finding.ts'
import { readCounts } from './queries.ts'

/** What is in the tables: claims that can't be right, deliveries that don't move, what was put aside. */
export async function examineContents({ driver }: Database): Promise<readonly Finding[]> {
  const ground = createGround(driver)
  const counts = await readCounts(driver)
  const dueAt = await createDeliveries(ground, createOutbox(driver)).oldestDueAt()
  const overdueMs = dueAt === undefined ? 0 : ground.clock() - dueAt
  const { dead, open, rejected, disabled, admins } = counts
  return [
    ...(await claimFindings(driver)),
    overdueMs > OVERDUE_MS
      ? wrong(
          'deliveries',
          `${figure(open)} open; one has been due for ${roughly(overdueMs)}`,
          'is a hub running on this database?',
        )
      : ok('deliveries', `${figure(open)} open, none overdue`),
    ...(dead === 0
      ? []
      : [
          wrong(
            'deliveries',
            `${figure(dead)} dead: given up after all tries`,
            'rowlock deliveries list --state dead; rowlock deliveries redrive --all-dead',
          ),
        ]),
    ...(disabled === 0
      ? []
      : [note('destinations', `${figure(disabled)} switched off`, 'rowlock destination list')]),
    ...(rejected === 0
      ? []
      : [note('events', `${figure(rejected)} put aside: the database would not take them`)]),
    admins === 0
      ? note('tokens', 'there is no admin token', 'rowlock token reset')
      : ok('tokens', `${figure(admins)} that may do everything`),
  ]
}

const OVERDUE_MS = 5 * 60_000
/** So many claims are looked at. */
const MOST_PAGES = 100
const SHOWN = 5

const meanings: Readonly<Record<Suspicion['kind'], string>> = {
  text: 'is text: it will never be free again',
  seconds: 'is in seconds, not ms: it is taken over at once',
  future: 'lies in the future: a clock went back',
}

async function claimFindings(driver: Database['driver']): Promise<readonly Finding[]> {
  const suspicions: Suspicion[] = []
  const claims = createClaims(driver, { onSuspicion: (suspicion) => suspicions.push(suspicion) })
  let seen = 0
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const { claims: rows, next } = await claims.list({ limit: 1_000, after })
    seen += rows.length
    if (next === null) break
    after = next
  }
  if (suspicions.length === 0) return [ok('claims', `${figure(seen)}, none that looks wrong`)]
  const shown = suspicions
    .slice(0, SHOWN)
    .map(({ key, column, value, kind }) =>
      wrong(
        'claims',
        `${printable(key)}: ${column} ${value} ${meanings[kind]}`,
        `rowlock claims release ${printable(key)} --force`,
      ),
    )
  const more = suspicions.length - shown.length
  return more > 0 ? [...shown, wrong('claims', `${figure(more)} more that look wrong`)] : shown
}
