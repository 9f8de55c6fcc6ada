import { AT_ONCE, type Courier } from './courier.ts'

/** Delivers for as long as the process lives. */
export interface DeliveryWorker {
  /** Something was enqueued: look now. */
  wake(): void
  /** Begins no more deliveries and waits for those under way. */
  stop(): Promise<void>
}

export interface DeliveryWorkerOptions {
  readonly courier: Courier
  onProblem(problem: string, cause?: unknown): void
}

/** Without a wake-up it looks this often: for retries that have become due, and for what others enqueued. */
const POLL_MS = 1_000

export function startDeliveryWorker({ courier, onProblem }: DeliveryWorkerOptions): DeliveryWorker {
  let underWay = 0
  let stopped = false
  let looking = false
  let again = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let ended: (() => void) | undefined

  const done = () => {
    underWay -= 1
    if (stopped && underWay === 0) ended?.()
    else wake()
  }

  const look = async () => {
    looking = true
    try {
      while (!stopped && underWay < AT_ONCE) {
        again = false
        const begun = await courier.begin(AT_ONCE - underWay)
        underWay += begun.length
        for (const delivery of begun) void delivery.then(done)
        if (begun.length === 0 && !again) break
      }
    } catch (cause) {
      onProblem('looking for deliveries failed', cause)
    }
    looking = false
    if (stopped && underWay === 0) ended?.()
    else if (!stopped) timer = setTimeout(wake, POLL_MS)
  }

  function wake(): void {
    if (stopped) return
    again = true
    if (looking) return
    clearTimeout(timer)
    void look()
  }

  wake()
  return {
    wake,
    async stop() {
      stopped = true
      clearTimeout(timer)
      if (!looking && underWay === 0) return
      await new Promise<void>((resolve) => {
        ended = resolve
      })
    },
  }
}
