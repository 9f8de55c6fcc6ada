import type { Dialect } from '../../port/dialect.ts'
import type { Driver, Statement } from '../../port/driver.ts'
import type { Recording } from './record.ts'
import { endsOfRecursion } from './recursion.ts'
import { changesOf, type TextKind } from './rules.ts'
import { changed } from './through.ts'
import { edited, shown, tokensOf } from './tokens.ts'

/** One mistake, made on purpose. */
export interface Mutant {
  /** Stable and unique: what a list of survivors names. */
  readonly id: string
  /** Name of the statement, or of the first of a batch. */
  readonly statement: string
  readonly kind: TextKind | 'drop-expect' | 'swap'
  /** Where the mistake stands, for people: the text around it as it was. */
  readonly place: string
  /** The statement as it is sent now, or what became of the batch. */
  readonly text: string
  /** A driver that makes the mistake. `carriedOut` is called each time the database has taken it. */
  apply(driver: Driver, carriedOut?: () => void): Driver
}

export interface MutantOptions {
  readonly dialect: Dialect
  /** Which statements to change; all by default. */
  readonly only?: (statement: Statement) => boolean
}

/**
 * Every mistake that can be made in these statements and batches: each comparison's neighbours, one
 * condition less, one branch less, no WHERE, DO NOTHING for DO UPDATE, the row's own column for
 * `excluded`, one assignment less, the other sign, no ORDER BY, no row lock, no SKIP LOCKED, no unique
 * key, the sender's clock, no `expect`, two neighbours of a batch swapped.
 */
export function mutants({ statements, batches }: Recording, options: MutantOptions): Mutant[] {
  const { dialect, only = () => true } = options
  const made = [
    ...uniqueTexts(statements.filter(only)).flatMap((statement) => textMutants(statement, dialect)),
    ...batches.filter((batch) => batch.some(only)).flatMap(dropExpect),
    ...uniqueBatches(batches.filter((batch) => batch.some(only))).flatMap(swapNeighbours),
  ]
  return named(made)
}

type Unnamed = Omit<Mutant, 'id'> & { readonly what: string }

function textMutants(statement: Statement, dialect: Dialect): Unnamed[] {
  const tokens = tokensOf(statement.text)
  const ends = endsOfRecursion(tokens, dialect)
  const changes = changesOf(tokens, dialect).map(({ edits, ...rest }) => ({
    ...rest,
    edits: [...edits, ...ends],
  }))
  return changes.map(({ kind, what, edits }) => ({
    statement: statement.name,
    kind,
    what: shortened(what, dialect),
    place: shortened(shown(tokens, edits[0]!.from - 12, edits[0]!.to + 12), dialect),
    text: edited(statement, tokens, edits).text,
    apply: (driver, carriedOut) => {
      const isOurs = ({ name, text }: Statement) => name === statement.name && text === statement.text
      const ours = new WeakSet<Statement>()
      return changed(driver, {
        statement(given) {
          if (!isOurs(given)) return given
          const sent = edited(given, tokens, edits)
          ours.add(sent)
          return sent
        },
        succeeded: (sent) => ours.has(sent) && carriedOut?.(),
      })
    },
  }))
}

/** With the clock by name: it is long, and stands everywhere. */
function shortened(what: string, { clock }: Dialect): string {
  return what.replaceAll(shown(tokensOf(clock.pieces.join(''))), 'clock')
}

function dropExpect(batch: readonly Statement[]): Unnamed[] {
  const isOurs = isBatch(batch)
  const names = namesOf(batch)
  return batch.flatMap(({ name, expect }, at) => {
    if (expect === undefined) return []
    return {
      statement: name,
      kind: 'drop-expect',
      what: `of ${name} in ${names}`,
      place: names,
      text: `${names} without expect ${expect} of ${name}`,
      apply: (driver, carriedOut) =>
        changed(driver, {
          batch(given) {
            if (!isOurs(given)) return given
            carriedOut?.()
            const { expect: _, ...rest } = given[at]!
            return given.with(at, rest)
          },
        }),
    }
  })
}

function swapNeighbours(batch: readonly Statement[]): Unnamed[] {
  const isOurs = isBatch(batch)
  return batch.slice(1).map((second, at) => ({
    statement: batch[at]!.name,
    kind: 'swap',
    what: `${batch[at]!.name} and ${second.name} in ${namesOf(batch)}`,
    place: namesOf(batch),
    text: namesOf(swap(batch, at)),
    apply: (driver, carriedOut) =>
      changed(driver, {
        batch(given) {
          if (!isOurs(given)) return given
          carriedOut?.()
          return swap(given, at)
        },
        results: (results, given) => (isOurs(given) ? swap(results, at) : results),
      }),
  }))
}

function isBatch(batch: readonly Statement[]): (given: readonly Statement[]) => boolean {
  const key = textsOf(batch)
  return (given) => given.length === batch.length && textsOf(given) === key
}

function textsOf(batch: readonly Statement[]): string {
  return batch.map(({ name, text }) => `${name}\u0000${text}`).join('\u0000')
}

function namesOf(batch: readonly Statement[]): string {
  return `[${batch.map(({ name }) => name).join(', ')}]`
}

function swap<Item>(items: readonly Item[], at: number): Item[] {
  return items.with(at, items[at + 1]!).with(at + 1, items[at]!)
}

/** The same text may have been seen with and without `expect`. */
function uniqueTexts(statements: readonly Statement[]): Statement[] {
  return [...new Map(statements.map((statement) => [textsOf([statement]), statement])).values()]
}

function uniqueBatches(batches: Recording['batches']): Recording['batches'] {
  return [...new Map(batches.map((batch) => [textsOf(batch), batch])).values()]
}

/** Names that stay the same while the texts do: the same change at several places is counted. */
function named(made: readonly Unnamed[]): Mutant[] {
  const seen = new Map<string, number>()
  return made.map(({ what, ...mutant }) => {
    const name = `${mutant.statement}: ${mutant.kind}: ${what}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { id: count === 1 ? name : `${name} (${count})`, ...mutant }
  })
}
