import { InvalidInputError } from '@rowlock/core'
import { Refusal, tooLarge, unsupported } from './refusal.ts'

/**
 * A request's body as text, of at most `limit` bytes.
 * @throws Refusal 413 when it is larger, before it has been read to its end; 415 when it is compressed.
 */
export async function readText(request: Request, limit: number): Promise<string> {
  refuseCompressed(request)
  const length = request.headers.get('content-length')
  try {
    if (length !== null && /^\d+$/.test(length)) {
      if (Number(length) > limit) throw tooLarge(limit)
      return await request.text()
    }
    return request.body === null ? '' : await readStream(request.body, limit)
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new InvalidInputError('body', 'could not be read to its end', 'a whole body')
  }
}

/** As `readText`, the bytes as they are. */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  refuseCompressed(request)
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new InvalidInputError('body', 'could not be read to its end', 'a whole body')
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

function refuseCompressed(request: Request): void {
  const encoding = request.headers.get('content-encoding')
  if (encoding !== null && encoding !== '' && encoding.toLowerCase() !== 'identity') {
    throw unsupported(`content-encoding ${encoding.slice(0, 40)} is not taken; send the body as it is`)
  }
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<string> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.byteLength
    if (size > limit) {
      await reader.cancel().catch(() => {})
      throw tooLarge(limit)
    }
    text += decoder.decode(value, { stream: true })
  }
}

/**
 * A JSON object from a request's body; an empty body is an empty object.
 * @throws Refusal 415 for another content type, InvalidInputError for what is no JSON object.
 */
export async function readJson(request: Request, limit: number): Promise<Readonly<Record<string, unknown>>> {
  const type = request.headers.get('content-type') ?? ''
  if (type !== '' && !/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw unsupported(`content-type ${type.slice(0, 80)} is not taken here; send application/json`)
  }
  const text = await readText(request, limit)
  if (text.trim() === '') return {}
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new InvalidInputError(
      'body',
      `is not JSON (${(error as Error).message.slice(0, 200)})`,
      'a JSON object',
    )
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Readonly<Record<string, unknown>>
  }
  throw new InvalidInputError('body', 'is no object', 'a JSON object')
}
