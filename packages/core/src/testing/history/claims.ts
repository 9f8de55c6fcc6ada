/**
 * One call about a claim, as the one who made it saw it. Several processes each write down their own;
 * the checker takes them together. All instants are ms of one clock: one machine's, or the database's.
 */
export interface ClaimCall {
  readonly verb: 'acquire' | 'renew' | 'release' | 'guarded'
  readonly key: string
  /** Who called: one id for each acquisition. */
  readonly holder: string
  readonly invokedAt: number
  /** When the answer came; null when it never came. */
  readonly returnedAt: number | null
  /** `unknown`: the answer was lost or never came, so it may have been done. */
  readonly outcome: 'done' | 'refused' | 'unknown'
  /** Of what was done: the token, and the end of the window. */
  readonly token?: number
  readonly expiresAt?: number
}

/** What a history shows that must not be. */
export interface HistoryFault {
  readonly rule: 'two holders' | 'token fell' | 'stale token'
  readonly message: string
  readonly calls: readonly ClaimCall[]
}

/** For as long as this, somebody held the key for certain, whatever became of lost answers. */
interface Hold {
  readonly win: ClaimCall
  readonly from: number
  readonly to: number
}

/**
 * Checks a history of claims, key by key: no two holders at one instant; a token is higher than every
 * one that was given before it was asked for; and nothing is done under a token when a higher one had
 * been given before. A lost answer counts as maybe: it proves no hold, and may have ended one.
 */
export function checkClaimHistory(calls: readonly ClaimCall[]): HistoryFault[] {
  const byKey = Map.groupBy(calls, ({ key }) => key)
  return [...byKey.values()].flatMap((ofKey) => [...twoHolders(ofKey), ...fallingTokens(ofKey)])
}

function twoHolders(calls: readonly ClaimCall[]): HistoryFault[] {
  const holds = calls.filter(isWin).map((win) => holdOf(win, calls))
  const sorted = holds.filter(({ from, to }) => from <= to).sort((left, right) => left.from - right.from)
  const faults: HistoryFault[] = []
  let latest: Hold | undefined
  for (const hold of sorted) {
    if (latest !== undefined && hold.from <= latest.to && hold.win.holder !== latest.win.holder) {
      faults.push({
        rule: 'two holders',
        message: `${latest.win.holder} held ${hold.win.key} from ${latest.from} to ${latest.to}, and ${hold.win.holder} from ${hold.from}`,
        calls: [latest.win, hold.win],
      })
    }
    if (latest === undefined || hold.to > latest.to) latest = hold
  }
  return faults
}

/** From the answer of the win to the end of the window, or to where the holder began to give it back. */
function holdOf(win: ClaimCall, calls: readonly ClaimCall[]): Hold {
  const own = calls.filter(({ token, holder }) => token === win.token && holder === win.holder)
  const renewed = own.filter(({ verb, outcome }) => verb === 'renew' && outcome === 'done')
  const released = own.filter(({ verb, outcome }) => verb === 'release' && outcome !== 'refused')
  // A renewal extends an unbroken hold; between two of them that do not touch nothing is certain.
  let to = win.expiresAt!
  for (const renewal of renewed.sort((left, right) => left.invokedAt - right.invokedAt)) {
    if (renewal.returnedAt! <= to) to = Math.max(to, renewal.expiresAt!)
  }
  const end = Math.min(to, ...released.map(({ invokedAt }) => invokedAt - 1))
  return { win, from: win.returnedAt!, to: end }
}

function fallingTokens(calls: readonly ClaimCall[]): HistoryFault[] {
  const wins = calls.filter(isWin)
  return calls.flatMap((call) => {
    if (call.outcome !== 'done') return []
    const newer = wins.filter((win) => win.returnedAt! < call.invokedAt && isTooLate(call, win))
    return newer.map((win) => ({
      rule: call.verb === 'acquire' ? ('token fell' as const) : ('stale token' as const),
      message: `${call.holder} was given ${call.verb} of ${call.key} under token ${call.token} after ${win.holder} had won it under ${win.token}`,
      calls: [win, call],
    }))
  })
}

/** The same number twice is right only for the answer of one acquisition given again. */
function isTooLate(call: ClaimCall, win: ClaimCall): boolean {
  return win.token! > call.token! || (win.token === call.token && win.holder !== call.holder)
}

function isWin({ verb, outcome }: ClaimCall): boolean {
  return verb === 'acquire' && outcome === 'done'
}
