import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A hub in a process of its own, so that it can be killed. */
export interface HubProcess {
  readonly url: string
  readonly ingestKey: string
  readonly child: ChildProcess
  /** What it printed for people so far. */
  readonly printed: string[]
  /** Ends it, and waits until it has ended. The exit code, or the signal that ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string | null>
}

export async function startHubProcess(db: string, flags: Record<string, unknown> = {}): Promise<HubProcess> {
  const entry = fileURLToPath(new URL('serve.ts', import.meta.url))
  const settings = JSON.stringify({ port: 0, db, ...flags })
  const child = spawn(
    process.execPath,
    ['--conditions=rowlock-source', '--disable-warning=ExperimentalWarning', entry, settings],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const printed: string[] = []
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => printed.push(line))
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const line = await Promise.race([once(lines, 'line'), once(child, 'exit')])
  if (typeof line[0] !== 'string') throw new Error(`the hub did not start:\n${printed.join('\n')}`)
  const { url, ingestKey } = JSON.parse(line[0]) as { url: string; ingestKey: string }
  return {
    url,
    ingestKey,
    child,
    printed,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await once(child, 'exit')
      }
      return child.exitCode ?? child.signalCode
    },
  }
}
