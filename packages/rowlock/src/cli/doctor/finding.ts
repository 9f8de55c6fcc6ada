/** One thing that was looked at. */
export interface Finding {
  readonly what: string
  /** `note`: worth knowing, nothing is broken. `wrong`: something is, or soon will be. */
  readonly state: 'ok' | 'note' | 'wrong'
  readonly seen: string
  /** What to do about it. */
  readonly hint?: string
}

export function ok(what: string, seen: string): Finding {
  return { what, state: 'ok', seen }
}

export function note(what: string, seen: string, hint?: string): Finding {
  return { what, state: 'note', seen, ...(hint === undefined ? {} : { hint }) }
}

export function wrong(what: string, seen: string, hint?: string): Finding {
  return { what, state: 'wrong', seen, ...(hint === undefined ? {} : { hint }) }
}
