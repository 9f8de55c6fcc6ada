import type { Level } from '../../../events/types.ts'
import { levelOfWord } from './levels.ts'
import { type Calendar, takeTimestamp } from './timestamps.ts'

/** What a line of `key=value` pairs says. */
export interface Pairs {
  readonly message: string
  readonly level?: Level
  readonly source?: string
  readonly at?: number
}

const PAIR = /([\w.@-]{1,60})=("(?:[^"\\]|\\.)*"|\S*) */y
const BEGINS = /^(?:time|ts|t|timestamp|level|lvl|msg)=\S/
const MOST_PAIRS = 60

/** Reads logfmt, such as `time=… level=error msg="no stock" order=7`; undefined for anything else. */
export function readLogfmt(line: string, calendar: Calendar): Pairs | undefined {
  if (!BEGINS.test(line)) return undefined
  const pairs = new Map<string, string>()
  PAIR.lastIndex = 0
  for (let found = PAIR.exec(line); found !== null && pairs.size < MOST_PAIRS; found = PAIR.exec(line)) {
    pairs.set(found[1]!, unquote(found[2]!))
  }
  const message = first(pairs, ['msg', 'message', 'error', 'err'])
  if (message === undefined) return undefined
  const level = levelOfWord(first(pairs, ['level', 'lvl', 'severity']) ?? '')
  const source = first(pairs, ['source', 'logger', 'component', 'service', 'app', 'caller'])
  const at = takeTimestamp(first(pairs, ['time', 'ts', 't', 'timestamp']) ?? '', calendar)?.at
  return {
    message,
    ...(level === undefined ? {} : { level }),
    ...(source === undefined ? {} : { source }),
    ...(at === undefined ? {} : { at }),
  }
}

function first(pairs: ReadonlyMap<string, string>, names: readonly string[]): string | undefined {
  const name = names.find((candidate) => (pairs.get(candidate) ?? '') !== '')
  return name === undefined ? undefined : pairs.get(name)
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/g, '$1') : value
}
