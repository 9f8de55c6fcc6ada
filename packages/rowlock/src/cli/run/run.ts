import { constants, hostname } from 'node:os'
import { InvalidInputError } from '@rowlock/core'
import { duration } from '@rowlock/core/module'
import type { RunFlags } from '../commands/run.ts'
import { exits } from '../exit.ts'
import { usageError } from '../failure.ts'
import { errPaint } from '../output/print.ts'
import type { Session } from '../session.ts'
import { type Child, type Ended, start } from './child.ts'
import { type Claiming, createClaiming, type Won } from './claim.ts'
import { keep } from './keep.ts'
import { complain, report, warnOfLocalFile, whoHasIt } from './messages.ts'
import { createReporter } from './ping.ts'
import { catchSignals, type Signals } from './signals.ts'

interface Run {
  readonly session: Session
  readonly key: string
  readonly words: readonly string[]
  readonly ttlMs: number
  readonly graceMs: number
  readonly hold: boolean
  readonly keepAfterFailure: boolean
  readonly claiming: Claiming
  readonly signals: Signals
  say(text: string): void
}

/** Claims the name and runs the command under the claim; sets the exit code. */
export async function runCommand(
  session: Session,
  key: string,
  words: readonly string[],
  flags: RunFlags,
): Promise<void> {
  if (!session.words.includes('--')) {
    throw usageError('the command stands without -- in front of it', {
      accepted: `rowlock run ${key} --ttl ${flags.ttl} -- ${words.join(' ')}`,
    })
  }
  const ttlMs = duration('--ttl', flags.ttl)
  const graceMs = duration('--grace', flags.grace)
  const patienceMs = duration('--patience', flags.patience)
  const heldCode = exitCode(flags.ifHeld)
  const reporter = createReporter(session, flags.ping)
  // What cron hears it mails: without a terminal only what went wrong is said.
  const talks = session.err.isTTY === true || flags.verbose === true
  const say = (text: string) =>
    talks && session.err.write(`${errPaint(session)('dim', `rowlock: ${text}`)}\n`)

  const signals = catchSignals()
  warnOfLocalFile(session)
  const claiming = createClaiming(await session.open(!talks), patienceMs)
  const since = performance.now()
  const outcome = await claiming.acquire(key, ttlMs)
  if (!outcome.won) {
    say(whoHasIt(key, outcome, session.now()))
    report(session, { key, won: false, reason: outcome.reason, holder: outcome.holder, exitCode: heldCode })
    session.exitCode = heldCode
    return
  }
  const { hold = false, onFailure } = flags
  const run = {
    session,
    key,
    words,
    ttlMs,
    graceMs,
    hold,
    keepAfterFailure: onFailure === 'keep',
    claiming,
    signals,
    say,
  }
  reporter.begin()
  session.exitCode = await underClaim(run, outcome, since)
  await reporter.end(session.exitCode)
  signals.stop()
  report(session, { key, won: true, token: outcome.token, exitCode: session.exitCode })
}

async function underClaim(run: Run, claim: Won, since: number): Promise<number> {
  const { session, key, words, ttlMs, hold, graceMs, claiming, signals, say } = run
  if (signals.first !== undefined) return await finish(run, claim, interrupted(signals.first))
  say(`${key} is ours (token ${claim.token}), until ${claim.expiresAt}${hold ? ' and renewed' : ''}`)
  const child = start(words, {
    ...session.environment,
    ROWLOCK_CLAIM_KEY: key,
    ROWLOCK_CLAIM_TOKEN: String(claim.token),
  })
  signals.listen(child.signal)
  const kept = keep(claiming, claim, { ttlMs, since, hold })
  const first = await Promise.race([child.ended, kept.lost])
  if (typeof first === 'string') return await endLost(run, child, first, graceMs)
  kept.stop()
  return await finish(run, claim, first)
}

async function endLost({ session, key }: Run, child: Child, why: string, graceMs: number): Promise<number> {
  complain(session, `the claim on ${key} was lost: ${why}; ending the command`)
  child.end(graceMs)
  await child.ended
  return exits.lost
}

/** Gives the claim its end: completed, released, or left to end with its window. */
async function finish(run: Run, claim: Won, ended: Ended): Promise<number> {
  const { session, key, claiming, hold, keepAfterFailure, say } = run
  if (!ended.started) complain(session, ended.problem)
  const failed = ended.exitCode !== 0
  if (failed && ended.started && keepAfterFailure) {
    say(`failed with ${ended.exitCode}; the window is kept`)
    return ended.exitCode
  }
  try {
    const outcome =
      failed || hold
        ? await claiming.release(claim)
        : await claiming.complete(claim, { exitCode: 0, host: hostname(), endedAt: session.now() })
    const isOurs = 'released' in outcome ? outcome.released : outcome.completed
    if (!isOurs && !failed) {
      complain(
        session,
        `the claim on ${key} had been lost before the command ended: it may have run elsewhere too`,
      )
      return exits.lost
    }
    say(
      failed
        ? `failed with ${ended.exitCode}; the window is free again`
        : hold
          ? 'done; it is free again'
          : 'done; the window is kept',
    )
  } catch (error) {
    complain(
      session,
      `the end of ${key} could not be noted: ${(error as Error).message}; the claim ends with its window`,
    )
  }
  return ended.exitCode
}

/** A signal came before the command could be started. */
function interrupted(name: NodeJS.Signals): Ended {
  return {
    started: false,
    exitCode: 128 + constants.signals[name],
    problem: `${name} came before the command was started`,
  }
}

function exitCode(given: string): number {
  if (/^\d{1,3}$/.test(given) && Number(given) <= 255) return Number(given)
  throw new InvalidInputError('--if-held', `is ${JSON.stringify(given)}`, 'an exit code from 0 to 255')
}
