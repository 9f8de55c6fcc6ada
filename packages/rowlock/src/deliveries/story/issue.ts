import { instant, type Payload } from './payload.ts'
import type { Story } from './types.ts'

/** An issue's window was won; the payload is written by the statement of the events' notices. */
export function issueWon(payload: Payload): Story {
  const level = payload.text('level', 20) || 'error'
  const title = `${payload.text('source', 80) || 'unknown'}: ${payload.text('title') || 'no title'}`
  const count = payload.number('count')
  const fresh = payload.number('newEvents')
  const id = payload.text('issue', 500)
  return {
    title: payload.number('reopened') === 1 ? `${title} (it came back)` : title,
    mood: 'bad',
    severity: severities[level] ?? 'error',
    facts: [
      { name: 'Level', value: level },
      ...(count === undefined ? [] : [{ name: 'Events', value: `${fresh ?? 1} new, ${count} in all` }]),
      ...instant('First seen', payload.number('firstSeenAt')),
      ...instant('Last seen', payload.number('lastSeenAt')),
    ],
    path: '/',
    thread: `issue:${id}`,
  }
}

const severities: Readonly<Record<string, Story['severity']>> = {
  fatal: 'critical',
  error: 'error',
  warning: 'warning',
  info: 'info',
  debug: 'info',
}
