import type { Checker } from './checker.ts'

/**
 * Checks for as long as the process lives, from now on and every `everyMs`; one that takes longer holds up the next.
 * @returns begins no more and waits for the one under way.
 */
export function startChecking(checker: Checker, everyMs: number): () => Promise<void> {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()

  const round = async () => {
    const began = performance.now()
    await checker.tick()
    const left = Math.max(0, everyMs - (performance.now() - began))
    if (!stopped) timer = setTimeout(begin, left)
  }
  const begin = () => {
    running = round()
  }

  begin()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
