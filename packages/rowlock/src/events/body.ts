import { InvalidInputError } from '@rowlock/core'

/** The events of one request, as they came. */
export interface Body {
  /** Whether one object was sent, so that one answer goes back. */
  readonly single: boolean
  readonly items: readonly Item[]
}

/** An event, or a line that was no JSON: its neighbours don't suffer for it. */
export type Item = { readonly event: unknown } | { readonly broken: string }

const MOST_ITEMS = 5_000

/**
 * Splits a request's body: one JSON object, an array of them, or one per line (NDJSON), told by the
 * content type, or, since many senders set none, by looking.
 * @throws InvalidInputError for an empty body, broken JSON, or more than 5,000 events.
 */
export function splitBody(body: string, contentType: string): Body {
  const text = body.charCodeAt(0) === 0xfeff ? body.slice(1) : body
  if (text.trim() === '') throw new InvalidInputError('body', 'is empty', accepted)
  if (/ndjson|jsonl|json-lines|json-seq/i.test(contentType)) return lines(text)
  try {
    return whole(JSON.parse(text))
  } catch (error) {
    if (error instanceof InvalidInputError) throw error
    if (firstLineIsJson(text)) return lines(text)
    throw new InvalidInputError('body', `is not JSON (${(error as Error).message.slice(0, 200)})`, accepted)
  }
}

const accepted = `a JSON object, an array of at most ${MOST_ITEMS}, or one JSON object per line`

function whole(parsed: unknown): Body {
  if (!Array.isArray(parsed)) return { single: true, items: [{ event: parsed }] }
  if (parsed.length === 0) throw new InvalidInputError('body', 'is an empty array', accepted)
  if (parsed.length > MOST_ITEMS) throw tooMany(parsed.length)
  return { single: false, items: parsed.map((event) => ({ event })) }
}

function lines(text: string): Body {
  const items: Item[] = []
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed === '') continue
    if (items.length === MOST_ITEMS) throw tooMany(`more than ${MOST_ITEMS}`)
    items.push(parseLine(trimmed))
  }
  return { single: false, items }
}

function parseLine(line: string): Item {
  try {
    return { event: JSON.parse(line) }
  } catch (error) {
    return { broken: (error as Error).message.slice(0, 200) }
  }
}

function firstLineIsJson(text: string): boolean {
  const end = text.indexOf('\n')
  return end > 0 && 'event' in parseLine(text.slice(0, end).trim())
}

function tooMany(count: number | string): InvalidInputError {
  return new InvalidInputError('body', `holds ${count} events`, accepted)
}
