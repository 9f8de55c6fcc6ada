/** One frame of a stack, as error trackers send it. All of it is optional, and nothing of it is trusted. */
export interface StackFrame {
  readonly function?: string | null
  readonly module?: string | null
  readonly filename?: string | null
  readonly abs_path?: string | null
  /** Whether the frame is the application's own code; senders often leave it out. */
  readonly in_app?: boolean | null
}

export interface ExceptionValue {
  readonly type?: string | null
  readonly value?: string | null
  /** Frames from the outermost call to the one that threw. */
  readonly stacktrace?: { readonly frames?: readonly (StackFrame | null)[] | null } | null
  /** `synthetic`: made up by the sender to carry a stack; its type says nothing. */
  readonly mechanism?: { readonly synthetic?: boolean | null } | null
}

/** The parts of an event that say what kind of trouble it is. URL, transaction, level, time and tags are not among them. */
export interface FingerprintInput {
  /** Where the event comes from: a service, a program, a log. */
  readonly source?: string | null
  readonly message?: string | null
  /** A message with its template (`message`, "User %s not found") and its text (`formatted`). The template is preferred. */
  readonly logentry?: { readonly message?: string | null; readonly formatted?: string | null } | null
  /** From the innermost cause to the exception that was caught last. */
  readonly exception?: { readonly values?: readonly (ExceptionValue | null)[] | null } | null
  /** The sender's own key, alone or in parts. `{{ default }}` as a part stands for the parts of the computed key. */
  readonly fingerprint?: string | readonly unknown[] | null
}

export type FingerprintBasis = 'explicit' | 'frames' | 'exception' | 'message'

export interface Fingerprint {
  /** Names the issue: 32 hex digits, or the sender's own key where that is short and plain. */
  readonly key: string
  /** The version of the rules that made the key. */
  readonly version: number
  /** What the key was made of. */
  readonly basis: FingerprintBasis
  /** For people: the exception or the message as it came, one line, at most 200 UTF-16 code units. */
  readonly title: string
  /** The message or the exception's value with its masks, where it is part of the key. */
  readonly masked?: string
}

export interface FingerprintOptions {
  /** The version of the rules, by default the current one. */
  readonly version?: number
}
