import type { Notice } from './kinds/kind.ts'

export const WON = 'issue.won'

/** Which win of which issue a delivery belongs to; it stands in its dedup key. */
export interface WinRef {
  readonly issue: string
  readonly token: number
}

/**
 * `<issue>:<token>:<destination>`, read from its end since an issue's id may hold colons. That begins with its project's number,
 * so that no other dedup key is read as one.
 */
export function winOf(dedupKey: string): WinRef | undefined {
  const [, issue, token] = /^(\d+-.+):(\d{1,15}):[^:]+$/.exec(dedupKey) ?? []
  return issue === undefined || token === undefined ? undefined : { issue, token: Number(token) }
}

/** A notice that only shows whether it arrives. */
export function testNotice(now: number): Notice {
  return {
    topic: 'test',
    dedupKey: `test_${now}`,
    payload: JSON.stringify({ message: 'It works.' }),
    createdAt: now,
  }
}
