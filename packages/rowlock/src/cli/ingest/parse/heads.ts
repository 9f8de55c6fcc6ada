import type { Level } from '../../../events/types.ts'
import { levelOfWord } from './levels.ts'

/** What stands between a line's time and its message. */
export interface Head {
  readonly message: string
  readonly level?: Level
  readonly source?: string
}

interface Shape {
  /** A line's rest behind its time; the tests hold each pattern against its own example. */
  readonly example: string
  /** Named groups: `level`, `source`, `message`. Anchored, and linear in the length of the line. */
  readonly pattern: RegExp
}

const LEVEL = '(?<level>[A-Za-z]{3,11})'
/** A level without brackets or a colon must be in capitals, or "Error" may be the first word of a message. */
const CAPITALS = '(?<level>[A-Z]{3,11})'
const COMMON =
  '(?<level>[A-Z]{3,11}|[Ff]atal|[Cc]ritical|[Ee]rror|[Ww]arn(?:ing)?|[Nn]otice|[Ii]nfo|[Dd]ebug|[Tt]race)'
const NAME = String.raw`(?<source>[\w.$/@:-]*[\w$])`
/** A logger's name that can't be a word of the message. */
const DOTTED = String.raw`(?<source>[\w$]+(?:(?:\.|::)[\w$]+)+)`
const MESSAGE = '(?<message>.*)$'

function shape(example: string, ...parts: readonly string[]): Shape {
  return { example, pattern: new RegExp(`^${parts.join('')}`, 's') }
}

/** The ways loggers write it, the more particular ones first. */
export const headShapes: readonly Shape[] = [
  // ZooKeeper. The thread's name holds brackets and colons; the class and its line stand at its end.
  shape(
    '- WARN  [SendWorker:188978561024:QuorumCnxManager$SendWorker@688] - Send worker leaving thread',
    String.raw`- ${CAPITALS} +\[.{0,300}?(?<source>[\w$]{1,100})@\d+\] - `,
    MESSAGE,
  ),
  // Spring Boot
  shape(
    'INFO 12345 --- [shop] [main] o.s.b.w.TomcatWebServer : started',
    String.raw`${CAPITALS} +\d+ --- (?:\[[^\]]*\] )+${NAME} *: `,
    MESSAGE,
  ),
  // log4j: level, [thread], class
  shape(
    'INFO [IPC Server handler 5 on 9000] org.apache.hadoop.ipc.Server: IPC Server handler 5 caught',
    String.raw`${CAPITALS} +\[[^\]]*\] +${NAME}(?:: | - )`,
    MESSAGE,
  ),
  // logback: [thread] level class
  shape('[main] INFO  com.example.Shop - open', String.raw`\[[^\]]*\] +${CAPITALS} +${NAME} +- `, MESSAGE),
  // Python: name - level - message
  shape('- shop.orders - ERROR - no stock', `- ${NAME} - ${LEVEL} - `, MESSAGE),
  // loguru
  shape(
    '| WARNING  | shop.orders:place:7 - slow',
    String.raw`\| *${LEVEL} *\| (?<source>[\w.]+):[\w<>]+:\d+ - `,
    MESSAGE,
  ),
  // HDFS and OpenStack: process level class
  shape(
    '148 INFO dfs.DataNode$PacketResponder: terminating',
    String.raw`\d+ +${CAPITALS} +${NAME}: `,
    MESSAGE,
  ),
  shape('25746 INFO nova.compute [req-1 - - -] spawned', String.raw`\d+ +${CAPITALS} +${DOTTED} `, MESSAGE),
  // Android: process thread letter tag
  shape(
    '1702  2395 D WindowManager: printing',
    String.raw`\d+ +\d+ (?<level>[VDIWEF]) +${NAME} *: `,
    MESSAGE,
  ),
  // klog, behind its letter and time
  shape('12345 pod.go:123] pod failed', String.raw` *\d+ +(?<source>[\w./-]+):\d+\] `, MESSAGE),
  // PostgreSQL: [process] user@database level
  shape(
    '[812] shop@orders ERROR:  relation missing',
    String.raw`\[\d+(?:-\d+)?\] (?:\S+@\S+ )?${CAPITALS}: +`,
    MESSAGE,
  ),
  // nginx
  shape('[error] 123#0: *45 open() failed', String.raw`\[${LEVEL}\] \d+#\d+: (?:\*\d+ )?`, MESSAGE),
  // Apache 2.4: [module:level] [pid 1:tid 2]
  shape(
    '[core:error] [pid 1:tid 2] [client 192.0.2.1:5] AH00126: Invalid URI',
    String.raw`\[(?<source>\w*):${LEVEL}\] (?:\[pid [^\]]*\] )?`,
    MESSAGE,
  ),
  // syslog with a full date
  shape('web-1 sshd[77]: closed', String.raw`[\w.-]+ (?<source>[^\s:[\]]+)\[\d+\]: `, MESSAGE),
  // the container runtime interface
  shape('stderr F cannot open', 'std(?:out|err) [FP] ', MESSAGE),
  // [level], level:, LEVEL class:, LEVEL
  shape('[notice] workerEnv.init() ok', String.raw`(?:\[\d+\] )?\[${LEVEL}\]:? +`, MESSAGE),
  shape('INFO executor.Executor: running', `${CAPITALS} +${DOTTED}: `, MESSAGE),
  shape('WARNING:root:careful', `${CAPITALS}:${NAME}:`, MESSAGE),
  shape('error: no such table', `${COMMON}: +`, MESSAGE),
  shape('ERROR no such table', `${CAPITALS} +(?:- )?`, MESSAGE),
]

/** Reads the head of a line's rest; undefined when there is none that we know. */
export function takeHead(rest: string): Head | undefined {
  for (const candidate of headShapes) {
    const head = read(candidate, rest)
    if (head !== undefined) return head
  }
  return undefined
}

/** @returns undefined also where the word in the level's place is no level. */
export function read({ pattern }: Shape, rest: string): Head | undefined {
  const groups = pattern.exec(rest)?.groups
  if (groups === undefined) return undefined
  const level = groups.level === undefined ? undefined : levelOfWord(groups.level)
  if (groups.level !== undefined && level === undefined) return undefined
  return {
    message: groups.message ?? '',
    ...(level === undefined ? {} : { level }),
    ...(groups.source === undefined || groups.source === '' ? {} : { source: groups.source }),
  }
}
