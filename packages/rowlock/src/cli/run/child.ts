import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { exits } from '../exit.ts'

export type Ended =
  | { readonly started: true; readonly exitCode: number }
  | { readonly started: false; readonly exitCode: number; readonly problem: string }

export interface Child {
  readonly ended: Promise<Ended>
  /** Hands a signal on to the command and everything it has started. */
  signal(name: NodeJS.Signals): void
  /** Asks it to end, and after `graceMs` ends it. */
  end(graceMs: number): void
}

const HAS_GROUPS = process.platform !== 'win32'

/** Starts a command in a process group of its own, so that nothing of it outlives a lost claim. */
export function start(words: readonly string[], environment: NodeJS.ProcessEnv): Child {
  const [program = '', ...rest] = words
  const child = spawn(program, rest, { stdio: 'inherit', env: environment, detached: HAS_GROUPS })
  const signal = (name: NodeJS.Signals) => signalGroup(child, name)
  let killing: NodeJS.Timeout | undefined
  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(notStarted(program, error)))
    child.once('exit', (code, name) => {
      const exitCode = name === null ? (code ?? exits.internal) : 128 + constants.signals[name]
      resolve({ started: true, exitCode })
    })
  })
  return {
    ended: ended.finally(() => clearTimeout(killing)),
    signal,
    end(graceMs) {
      signal('SIGTERM')
      killing = setTimeout(() => signal('SIGKILL'), graceMs)
    },
  }
}

function signalGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (HAS_GROUPS) process.kill(-child.pid, name)
    else child.kill(name)
  } catch (error) {
    // It has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function notStarted(program: string, { code, message }: NodeJS.ErrnoException): Ended {
  if (code === 'ENOENT')
    return { started: false, exitCode: exits.noProgram, problem: `${program} was not found` }
  const problem = code === 'EACCES' ? `${program} may not be run` : message
  return { started: false, exitCode: exits.notRunnable, problem }
}
