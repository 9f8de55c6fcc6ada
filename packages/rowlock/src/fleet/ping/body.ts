import { cleanText } from '../../events/clean.ts'

/** So many bytes of a ping's body are kept; what comes after is read and left out. */
export const KEPT_BYTES = 100_000

/**
 * The beginning of a ping's body, as UTF-8; null where there is none. Never refused for its size up to `limit`, so
 * that a job's long log costs it no ping.
 * @returns 'too large' past the limit, 'broken' for a body that ended early.
 */
export async function readPingBody(
  request: Request,
  limit: number,
): Promise<{ readonly body: string | null } | 'too large' | 'broken'> {
  if (request.body === null || !['POST', 'PUT', 'PATCH'].includes(request.method)) return { body: null }
  if (Number(request.headers.get('content-length') ?? 0) > limit) return 'too large'
  const reader = (request.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  try {
    for (;;) {
      const { done, value } = await reader.read()
      // Cut inside a character, its beginning is left out; where all was read, it is shown as broken.
      if (done) return { body: cleanText(size > KEPT_BYTES ? text : text + decoder.decode()) || null }
      if (size < KEPT_BYTES) text += decoder.decode(value.subarray(0, KEPT_BYTES - size), { stream: true })
      size += value.byteLength
      if (size > limit) {
        await reader.cancel().catch(() => {})
        return 'too large'
      }
    }
  } catch {
    return 'broken'
  }
}
