import { PassThrough, Readable } from 'node:stream'
import { runCommandLine } from '../../src/cli/command-line.ts'

export interface Ran {
  readonly exitCode: number
  readonly out: string
  readonly err: string
}

/** Runs a command line inside this process, without a terminal and with no environment but the given one. */
export async function rowlock(
  words: readonly string[],
  options: {
    readonly environment?: Record<string, string>
    readonly input?: string
    readonly now?: number
  } = {},
): Promise<Ran> {
  const { environment = {}, input = '', now = Date.now() } = options
  const out = new PassThrough()
  const err = new PassThrough()
  const texts = [out, err].map(async (stream) => Buffer.concat(await stream.toArray()).toString())
  const exitCode = await runCommandLine({
    words,
    out,
    err,
    in: Readable.from([Buffer.from(input)]),
    environment,
    now: () => now,
  })
  out.end()
  err.end()
  const [shown = '', said = ''] = await Promise.all(texts)
  return { exitCode, out: shown, err: said }
}

/** The JSON documents of an output, one a line. */
export function documents(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}
