import type { Notice } from '../kinds/kind.ts'
import type { Payload } from './payload.ts'
import type { Story } from './types.ts'

/** What is sent to see whether it arrives. */
export function testNotice(_payload: Payload, { createdAt, dedupKey }: Notice): Story {
  return {
    title: 'Rowlock can reach you here',
    mood: 'neutral',
    severity: 'info',
    facts: [
      { name: 'What', value: 'a test that somebody asked for' },
      { name: 'At', value: { at: createdAt } },
    ],
    path: '/',
    thread: dedupKey,
  }
}
