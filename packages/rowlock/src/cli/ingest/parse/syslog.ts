import type { Level } from '../../../events/types.ts'
import type { Head } from './heads.ts'
import { levelOfSeverity } from './levels.ts'
import { type Calendar, takeTimestamp } from './timestamps.ts'

/** The priority in front of a syslog line, `<facility * 8 + severity>`. */
export function takePriority(line: string): { level: Level; length: number } | undefined {
  const [whole, digits] = /^<(\d{1,3})>/.exec(line) ?? []
  if (whole === undefined || Number(digits) > 191) return undefined
  return { level: levelOfSeverity(Number(digits) % 8) ?? 'info', length: whole.length }
}

/** RFC 5424 behind its priority: version, time, host, application, process, message id, data, message. */
const MODERN =
  /^1 (?<time>\S+) \S+ (?<application>\S+) \S+ \S+ (?:-|(?:\[(?:[^\]\\]|\\.)*\])+)(?: (?<message>.*))?$/s

export function readModernSyslog(rest: string, calendar: Calendar): (Head & { at?: number }) | undefined {
  const groups = MODERN.exec(rest)?.groups
  if (groups === undefined) return undefined
  const at = takeTimestamp(groups.time ?? '', calendar)?.at
  return {
    message: (groups.message ?? '').replace(/^\uFEFF/, ''),
    ...(at === undefined ? {} : { at }),
    ...(groups.application === '-' ? {} : { source: groups.application! }),
  }
}

/** Behind the time of a line such as `Jun 14 15:16:01 combo sshd(pam_unix)[19939]: check pass`. */
const TAGGED = /^[\w.:-]+ +(?<source>(?:-- )?[^\s:[\]]+)(?: [\d.]+)?(?:\[[^\]]*\])?: ?(?<message>.*)$/s
const UNTAGGED = /^[\w.:-]+ +(?<message>.*)$/s

/** RFC 3164 behind its time: host, tag, message. */
export function readClassicSyslog(rest: string): Head {
  const tagged = TAGGED.exec(rest)?.groups
  if (tagged !== undefined) {
    return { message: tagged.message ?? '', source: (tagged.source ?? '').replace(/^-- /, '') }
  }
  return { message: UNTAGGED.exec(rest)?.groups?.message ?? rest }
}
