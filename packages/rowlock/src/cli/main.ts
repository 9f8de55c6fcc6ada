import { runCommandLine } from './command-line.ts'
import { exits } from './exit.ts'

// A reader that has seen enough, such as `head`, is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? process.exitCode : exits.internal)
})

process.exitCode = await runCommandLine({
  words: process.argv.slice(2),
  out: process.stdout,
  err: process.stderr,
  in: process.stdin,
  environment: process.env,
  now: Date.now,
})
