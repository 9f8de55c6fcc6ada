import type { Command } from 'commander'
import type { Finding } from '../doctor/finding.ts'
import { exits } from '../exit.ts'
import { missingError } from '../failure.ts'
import { outPaint, printJson, printLine, printNote } from '../output/print.ts'
import type { Session } from '../session.ts'
import { examples, prose } from './help-text.ts'

export function defineDoctor(command: Command, session: Session): void {
  command
    .description(
      prose(
        `Looks for what is wrong. With a database: whether its tables are current, whether it keeps what it confirms
and does what Rowlock counts on (tried in a table of its own), claims that cannot be right, deliveries that
don't move. With a hub: whether it lives, does its work and takes the token. Changes nothing that is there.
The exit code is 1 when something is wrong.`,
      ),
    )
    .addHelpText(
      'after',
      examples(
        'rowlock doctor',
        'rowlock doctor --db postgres://rowlock@db/ops --json',
        'rowlock doctor --url https://hub.example.com',
      ),
    )
    .action(async () => {
      const findings = await examine(session)
      const problems = findings.filter(({ state }) => state === 'wrong').length
      for (const finding of findings) print(session, finding)
      printNote(
        session,
        problems === 0 ? 'nothing is wrong' : `${problems} thing${problems === 1 ? ' is' : 's are'} wrong`,
      )
      session.exitCode = problems === 0 ? exits.done : exits.failed
    })
}

async function examine(session: Session): Promise<readonly Finding[]> {
  const { chooseTarget } = await import('../target/choose.ts')
  const chosen = chooseTarget(session, session.options)
  if (chosen.kind === 'hub') {
    const { examineHub } = await import('../doctor/hub.ts')
    return await examineHub(await session.open())
  }
  const { existsSync } = await import('node:fs')
  const { openNamed } = await import('../target/database.ts')
  const { sayWhere } = await import('../target/open.ts')
  sayWhere(session, chosen.place)
  const isFile = !/^postgres(ql)?:/i.test(chosen.db) && chosen.db !== ':memory:'
  if (isFile && !existsSync(chosen.db))
    throw missingError(`there is no database ${chosen.db}`, 'rowlock migrate makes one')
  const database = await openNamed(chosen.db, chosen.place)
  try {
    const { examineEngine, examineSchema } = await import('../doctor/engine.ts')
    const { examineContents } = await import('../doctor/contents.ts')
    const schema = await examineSchema(database)
    const current = schema.every(({ state }) => state === 'ok')
    return [
      ...(await examineEngine(database)),
      ...schema,
      ...(current ? await examineContents(database) : []),
    ]
  } finally {
    await database.close()
  }
}

const marks = { ok: ['✔', 'green'], note: ['!', 'yellow'], wrong: ['✖', 'red'] } as const

function print(session: Session, finding: Finding): void {
  if (session.options.json === true) {
    printJson(session, finding)
    return
  }
  const paint = outPaint(session)
  const [mark, colour] = marks[finding.state]
  printLine(session, `${paint(colour, mark)} ${finding.what.padEnd(12)}  ${finding.seen}`)
  if (finding.hint !== undefined) printLine(session, `  ${' '.repeat(12)}  ${paint('dim', finding.hint)}`)
}
