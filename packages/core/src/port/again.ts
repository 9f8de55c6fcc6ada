/** The longest rest between two attempts. */
const REST_AT_MOST_MS = 250

/**
 * Does the work again while it fails with what `may` recognises, resting between attempts for a random
 * time that grows: two that collided and rested equally long would collide once more. Gives up with
 * the last error when `atMostMs` have passed.
 */
export async function again<T>(
  atMostMs: number,
  may: (cause: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + atMostMs
  for (let longestMs = 4; ; longestMs = Math.min(longestMs * 2, REST_AT_MOST_MS)) {
    try {
      return await work()
    } catch (cause) {
      if (!may(cause) || performance.now() >= deadline) throw cause
    }
    await new Promise((resolve) => setTimeout(resolve, Math.random() * longestMs))
  }
}
