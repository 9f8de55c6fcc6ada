/** What a notice tells people, before it is put into the words of a channel. Nothing in it is escaped. */
export interface Story {
  /** One line. */
  readonly title: string
  readonly mood: 'bad' | 'good' | 'neutral'
  readonly severity: 'critical' | 'error' | 'warning' | 'info'
  readonly facts: readonly Fact[]
  /** A page of the hub that says more. */
  readonly path: string
  /** The same for all notices about the same thing: an alert and its all-clear. */
  readonly thread: string
}

export interface Fact {
  readonly name: string
  /** A text of one line, or an instant in ms since 1970 that a channel may show in the reader's own time. */
  readonly value: string | { readonly at: number }
}

export interface ToldStory extends Story {
  /** Null where nobody told the hub its public address. */
  readonly link: string | null
}
