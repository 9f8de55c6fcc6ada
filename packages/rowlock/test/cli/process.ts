import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

export interface CommandProcess {
  readonly child: ChildProcess
  /** What it wrote so far. */
  readonly out: () => string
  readonly err: () => string
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>
  /** Resolves when standard output or standard error holds this. Rejects when the process ends before. */
  said(pattern: RegExp): Promise<void>
}

/** Starts the command line in a process of its own, without a terminal. */
export function start(
  words: readonly string[],
  environment: Record<string, string> = {},
  cwd?: string,
): CommandProcess {
  const flags = ['--conditions=rowlock-source', '--disable-warning=ExperimentalWarning']
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [...flags, main, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, HOME, ...environment },
    cwd,
  })
  const texts = { out: '', err: '' }
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  const closed = once(child, 'close')
  return {
    child,
    out: () => texts.out,
    err: () => texts.err,
    ended: closed.then(() => child.exitCode ?? child.signalCode),
    async said(pattern) {
      const ended = closed.then(() => true)
      while (!pattern.test(texts.out + texts.err)) {
        const more = Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended])
        if ((await more) === true && !pattern.test(texts.out + texts.err)) {
          throw new Error(`it ended without saying ${pattern}:\n${texts.out}${texts.err}`)
        }
      }
    },
  }
}
