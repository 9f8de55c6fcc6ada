/** A stack trace that was found in the lines of a log. */
export interface Exception {
  readonly type: string
  readonly value?: string
  readonly stacktrace?: { readonly frames: readonly Frame[] }
}

export interface Frame {
  readonly function?: string
  readonly module?: string
  readonly filename?: string
  readonly lineno?: number
}

const MOST_LINES = 500

const HEAD =
  /^(?:Caused by: |Exception in thread "[^"]{0,200}" |Uncaught |Unhandled exception\. )?(?<type>(?:[\w$]{1,100}\.){0,20}[A-Za-z_$][\w$]{0,100})(?:: (?<value>.*))?$/
const NAMED = /(?:Error|Exception|Throwable|Fault|Interrupt|Warning|Exit|Panic)$/
const JVM =
  /^\s+at (?:[\w.@-]{1,200}\/{1,2})?(?<path>[\w.$<>]{1,300})\.(?<name>[\w$<>]{1,200})\((?<file>[^():]{1,300})(?::(?<line>\d{1,9}))?\)/
const SCRIPT =
  /^\s+at (?:async )?(?:(?<name>[^()]{1,300}) \()?(?<file>[^()\s]{1,500}):(?<line>\d{1,9}):\d{1,9}\)?$/
const PYTHON = /^\s+File "(?<file>[^"]{1,500})", line (?<line>\d{1,9})(?:, in (?<name>.{1,200}))?$/

/**
 * Reads the stack traces of the JVM, JavaScript and Python out of an event's lines.
 * @returns exceptions from the innermost cause to the one caught last, frames from the outermost call
 * to the one that threw; undefined where there is no stack.
 */
export function readStack(lines: readonly string[]): { values: readonly Exception[] } | undefined {
  const kept = lines.slice(0, MOST_LINES)
  const values = kept.some((line) => PYTHON.test(line)) ? readPython(kept) : readAt(kept)
  return values.some(({ stacktrace }) => stacktrace !== undefined) ? { values } : undefined
}

interface Open {
  readonly head: Omit<Exception, 'stacktrace'>
  readonly frames: Frame[]
}

/** The JVM and JavaScript: the exception, then its frames from the inside out, then its causes. */
function readAt(lines: readonly string[]): readonly Exception[] {
  const found: Open[] = []
  for (const line of lines) {
    const frame = readFrame(JVM, line) ?? readFrame(SCRIPT, line)
    const head = frame === undefined ? readHead(line) : undefined
    if (head !== undefined) found.push({ head, frames: [] })
    if (frame !== undefined) found.at(-1)?.frames.unshift(frame)
  }
  return found.reverse().map(close)
}

/** Python: frames from the outside in, then the exception; the cause stands first. */
function readPython(lines: readonly string[]): readonly Exception[] {
  const found: Open[] = []
  let frames: Frame[] = []
  for (const line of lines) {
    const frame = readFrame(PYTHON, line)
    if (frame !== undefined) frames.push(frame)
    const head = frame === undefined && frames.length > 0 ? readHead(line) : undefined
    if (head === undefined) continue
    found.push({ head, frames })
    frames = []
  }
  return found.map(close)
}

function close({ head, frames }: Open): Exception {
  return frames.length === 0 ? head : { ...head, stacktrace: { frames } }
}

function readHead(line: string): Open['head'] | undefined {
  const { type, value } = HEAD.exec(line)?.groups ?? {}
  if (type === undefined || !(NAMED.test(type) || line.startsWith('Caused by: '))) return undefined
  return value === undefined || value === '' ? { type } : { type, value }
}

function readFrame(pattern: RegExp, line: string): Frame | undefined {
  const groups = pattern.exec(line)?.groups
  if (groups === undefined) return undefined
  const { path, name, file, line: number } = groups
  return {
    ...(name === undefined ? {} : { function: name }),
    ...(path === undefined ? {} : { module: path }),
    ...(file === undefined ? {} : { filename: file }),
    ...(number === undefined ? {} : { lineno: Number(number) }),
  }
}
