import { scrub, scrubText } from './scrub.ts'

const MOST_CHARACTERS = 32_768

/** The JSON of an event that is kept: scrubbed, and of a very large one only what says most. */
export function sampleOf(raw: Readonly<Record<string, unknown>>): string {
  const whole = JSON.stringify(scrub(raw))
  if (whole.length <= MOST_CHARACTERS) return whole
  const brief: Record<string, unknown> = { shortened: true }
  for (const name of ['id', 'at', 'timestamp', 'source', 'level', 'message']) {
    const value = raw[name]
    if (typeof value === 'string' || typeof value === 'number') brief[name] = scrub(value)
  }
  const exception = scrubText((JSON.stringify(scrub(raw.exception)) ?? '').slice(0, MOST_CHARACTERS / 4))
  return JSON.stringify({ ...brief, exception })
}
