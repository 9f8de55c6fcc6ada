import type { EventAnswer, Figures } from './tally.ts'

/** What the answers say about one issue. */
interface Known {
  /** The smallest count that an answer told, and how many events of ours were in what it counted. */
  least: number
  oursAtLeast: number
  /** The largest count, and all events of ours. */
  most: number
  ours: number
  won: number
  /** An answer was lost that may have told of a win. */
  inDoubt: boolean
}

export interface IssueTally {
  answer(answers: readonly EventAnswer[], again: boolean): void
  figures(): Pick<Figures, 'newIssues' | 'knownIssues' | 'won' | 'wonUnknown'>
}

/** Tells new issues from known ones by their counts: a new one has no events but ours, at first or at last. */
export function createIssueTally(): IssueTally {
  const issues = new Map<string, Known>()

  return {
    answer(answers, again) {
      for (const [issue, told] of byIssue(answers, again)) {
        const known = issues.get(issue)
        if (known === undefined) issues.set(issue, told)
        else merge(known, told)
      }
    },
    figures() {
      let [newIssues, won, wonUnknown] = [0, 0, 0]
      for (const known of issues.values()) {
        const isNew = known.oursAtLeast === known.least || known.ours === known.most
        if (isNew) newIssues += 1
        // The first event of an issue always wins, also where the answer that said so was lost.
        won += isNew && known.inDoubt ? Math.max(1, known.won) : known.won
        if (!isNew && known.inDoubt && known.won === 0) wonUnknown += 1
      }
      return { newIssues, knownIssues: issues.size - newIssues, won, wonUnknown }
    },
  }
}

/** What one request's answers say, issue by issue. All of them were counted together. */
function byIssue(answers: readonly EventAnswer[], again: boolean): Map<string, Known> {
  const issues = new Map<string, Known>()
  for (const { issue, duplicate, count = 0, won } of answers) {
    if (issue === undefined) continue
    const known = issues.get(issue) ?? {
      least: count,
      oursAtLeast: 0,
      most: count,
      ours: 0,
      won: 0,
      inDoubt: false,
    }
    const isOurs = duplicate !== true || again
    if (isOurs) known.ours += 1
    if (won === true) known.won += 1
    if (duplicate === true && again) known.inDoubt = true
    issues.set(issue, { ...known, oursAtLeast: known.ours })
  }
  return issues
}

function merge(known: Known, told: Known): void {
  known.ours += told.ours
  known.won += told.won
  known.inDoubt ||= told.inDoubt
  known.most = Math.max(known.most, told.most)
  // Two requests that were counted together tell the same count.
  if (told.least === known.least) known.oursAtLeast += told.oursAtLeast
  if (told.least < known.least) {
    known.least = told.least
    known.oursAtLeast = told.oursAtLeast
  }
}
