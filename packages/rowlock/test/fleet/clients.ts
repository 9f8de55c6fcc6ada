import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as passing } from 'node:timers/promises'

/** One request of a client: when it was sent, when its end was known, and whether it was answered with OK. */
export interface Attempt {
  readonly sent: number
  readonly ended: number
  readonly ok: boolean
}

/** Something that beats until it is told not to, and keeps a log of its own. */
export interface Client {
  readonly id: string
  readonly log: readonly Attempt[]
  resume(): void
  /** Falls silent; resolves when its last request has ended. */
  silence(): Promise<void>
}

/** A device as a Node program: it opens its address, again and again. */
export function nodeClient(id: string, address: string, everyMs: number): Client {
  const log: Attempt[] = []
  let running: { stop: boolean; done: Promise<void> } | undefined

  const once = async () => {
    const sent = Date.now()
    const ok = await fetch(address, { signal: AbortSignal.timeout(5_000) }).then(
      async (response) => response.ok && (await response.text()) === 'OK',
      () => false,
    )
    log.push({ sent, ended: Date.now(), ok })
  }
  const loop = async (run: { stop: boolean }) => {
    await passing(Math.random() * everyMs)
    while (!run.stop) {
      await once()
      if (!run.stop) await passing(everyMs)
    }
  }
  return {
    id,
    log,
    resume() {
      const run = { stop: false, done: Promise.resolve() }
      run.done = loop(run)
      running = run
    },
    async silence() {
      if (running === undefined) return
      running.stop = true
      await running.done
      running = undefined
    },
  }
}

export const hasCurl = spawnSync('curl', ['--version']).status === 0

/** A device as three lines of shell. */
export function shellClient(id: string, address: string, everyMs: number): Client {
  const script = `while :; do
    sent=$(date +%s%3N); curl -fsS -m 5 -o /dev/null "$0" 2>/dev/null; echo "$sent $(date +%s%3N) $?"; sleep "$1"
  done`.replace('echo "$sent $(date +%s%3N) $?"', 'code=$?; echo "$sent $(date +%s%3N) $code"')
  const log: Attempt[] = []
  let child: ChildProcess | undefined
  return {
    id,
    log,
    resume() {
      child = spawn('sh', ['-c', script, address, String(everyMs / 1_000)], {
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
      lines.on('line', (line) => {
        const [sent, ended, code] = line.split(' ').map(Number)
        log.push({ sent: sent ?? 0, ended: ended ?? 0, ok: code === 0 })
      })
    },
    /** With kill -9, in the middle of whatever it does: the request may arrive all the same. */
    async silence() {
      if (child === undefined) return
      const last = log.at(-1)?.ended ?? 0
      child.kill('SIGKILL')
      await once(child, 'close')
      log.push({ sent: last, ended: Date.now() + 1_000, ok: false })
      child = undefined
    },
  }
}
