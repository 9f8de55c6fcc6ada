import type { Level } from '../../../events/types.ts'

const words: Readonly<Record<string, Level>> = {
  fatal: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  emergency: 'fatal',
  emerg: 'fatal',
  alert: 'fatal',
  panic: 'fatal',
  severe: 'error',
  error: 'error',
  err: 'error',
  failure: 'error',
  warning: 'warning',
  warn: 'warning',
  notice: 'info',
  info: 'info',
  information: 'info',
  log: 'info',
  config: 'info',
  statement: 'info',
  hint: 'info',
  detail: 'info',
  debug: 'debug',
  fine: 'debug',
  finer: 'debug',
  finest: 'debug',
  trace: 'debug',
  verbose: 'debug',
}

const letters: Readonly<Record<string, Level>> = {
  F: 'fatal',
  E: 'error',
  W: 'warning',
  N: 'info',
  I: 'info',
  D: 'debug',
  V: 'debug',
  T: 'debug',
}

/** The level a logger's word means, in any case; undefined when it is no level's name. */
export function levelOfWord(word: string): Level | undefined {
  const known = words[word.toLowerCase()]
  return known ?? (word.length === 1 ? letters[word] : undefined)
}

const severities: readonly Level[] = ['fatal', 'fatal', 'fatal', 'error', 'warning', 'info', 'info', 'debug']

/** The level of syslog's severity, 0 (emergency) to 7 (debug). */
export function levelOfSeverity(severity: number): Level | undefined {
  return severities[severity]
}

/** The level of the numbers that bunyan and pino write: 10, 20 … 60. */
export function levelOfTens(number: number): Level {
  if (number >= 60) return 'fatal'
  if (number >= 50) return 'error'
  if (number >= 40) return 'warning'
  return number >= 30 ? 'info' : 'debug'
}

const ALARMING = /\b(?:fatal|panic|panicked|emerg(?:ency)?|crit(?:ical)?)\b/i
const WRONG =
  /\b(?:errors?|exceptions?|fail(?:s|ed|ure|ures)?|traceback|denied|refused|aborted|crash(?:ed)?|segfault)\b|[a-z](?:Error|Exception)\b/i
const DOUBTFUL = /\b(?:warn(?:s|ing|ings)?|deprecated|time[ds]?[ -]?out|retry(?:ing)?)\b/i

/** A guess for a line whose logger wrote no level: from the words of its message. */
export function levelOfMessage(message: string): Level {
  const head = message.length > 400 ? message.slice(0, 400) : message
  if (ALARMING.test(head)) return 'fatal'
  if (WRONG.test(head)) return 'error'
  return DOUBTFUL.test(head) ? 'warning' : 'info'
}
