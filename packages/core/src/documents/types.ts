import type { UnavailableError } from '../errors.ts'
import type { Statement } from '../port/driver.ts'
import type { Duration } from '../port/input.ts'

/** A JSON value; a body is an object. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type Body = { readonly [name: string]: Json }

/** An entry of a collection: a version counter and two pointers into its revisions. Instants are ms since 1970. */
export interface Entry {
  readonly id: string
  readonly collection: string
  readonly locale: string
  readonly slug: string | null
  /** Rises by one with every change of any kind. */
  readonly version: number
  /** Rises when an id is used again after `remove`; with the version it is the entry's tag. */
  readonly incarnation: string
  /** The revision that is published; null: none is. */
  readonly liveId: string | null
  /** The revision with changes that are not published; null: there are none. */
  readonly draftId: string | null
  readonly scheduledAt: number | null
  readonly publishedAt: number | null
  /** In the trash since. */
  readonly deletedAt: number | null
  readonly createdAt: number
  readonly createdBy: string | null
  readonly updatedAt: number
  readonly updatedBy: string | null
}

/** An entry with the body that was asked for: the draft's, where there is one, or the live one. */
export interface Document extends Entry {
  readonly body: Body
  readonly revisionId: string
}

export type RevisionKind = 'save' | 'autosave' | 'publish' | 'restore' | 'import'

export interface Revision {
  readonly id: string
  readonly kind: RevisionKind
  /** The entry's version that it was made on. */
  readonly baseVersion: number
  /** The entry's version that it made; null where it never became one (a leftover, or a save on its way). */
  readonly committedVersion: number | null
  readonly parentId: string | null
  readonly author: string | null
  readonly label: string | null
  readonly pinned: boolean
  readonly bytes: number
  readonly createdAt: number
  readonly live: boolean
  readonly draft: boolean
}

/** Could not ask, or could not hear the answer. The call may be repeated with the same `clientKey`. */
export interface Unknown {
  readonly reason: 'unknown'
  readonly cause: UnavailableError
}

/** Somebody was first: the entry as it stands now, so that a client can merge. */
export interface Conflict {
  readonly reason: 'conflict'
  readonly current: Document
  /** Fields that differ between the version the caller named and the current one; null where that is not known any more. */
  readonly changed: readonly string[] | null
}

/** No such entry, or it is in the trash (`gone`). */
export interface Missing {
  readonly reason: 'missing' | 'gone'
}

export type SaveOutcome =
  | {
      readonly saved: true
      readonly version: number
      readonly revisionId: string
      /** The body was the same already: nothing was written. */
      readonly unchanged: boolean
      /** The answer of an earlier call with the same client key. */
      readonly replayed: boolean
    }
  | ({ readonly saved: false } & (Conflict | Missing | Unknown))
  | { readonly saved: false; readonly reason: 'slug taken'; readonly by: string }

export type PublishOutcome =
  | {
      readonly published: true
      readonly version: number
      readonly revisionId: string
      readonly unchanged: boolean
    }
  | ({ readonly published: false } & (Conflict | Missing | Unknown))
  | { readonly published: false; readonly reason: 'nothing to publish' }

/** Of unpublish, discard, schedule, trash, untrash, slug changes and pins. */
export type ChangeOutcome =
  | { readonly changed: true; readonly version: number }
  | { readonly changed: false; readonly reason: 'unchanged'; readonly version: number }
  | ({ readonly changed: false } & (Conflict | Missing | Unknown))
  | { readonly changed: false; readonly reason: 'slug taken'; readonly by: string }

export interface CallOptions {
  /** The instant that judges, in ms since 1970. Default: the `clock` option, else the database's clock. */
  readonly now?: number
  /** Statements that commit together with the verb or not at all. Needs a driver with an atomic batch. */
  readonly also?: readonly Statement[]
}

/** Every change takes the version it was made on; without one it is made on the current version, tried again when somebody is first. */
export interface ChangeOptions extends CallOptions {
  readonly ifVersion?: number
  /** With `ifVersion`: an id that was removed and used again is another entry. */
  readonly incarnation?: string
  readonly author?: string
}

export interface SaveOptions extends ChangeOptions {
  /** The same key and body again give the first answer; another body is an InvalidInputError. At most 200 characters. */
  readonly clientKey?: string
  readonly kind?: 'save' | 'autosave'
  readonly label?: string
}

export interface CreateOptions extends Omit<SaveOptions, 'ifVersion' | 'incarnation'> {
  readonly id?: string
  readonly slug?: string
  /** Default ''. */
  readonly locale?: string
}

export interface PublishOptions extends ChangeOptions {
  /** Exactly this revision; default: the draft. */
  readonly revisionId?: string
}

export interface Retention {
  /** The newest so many revisions are history that stays. Default 50. 0: only what the pointers name. */
  readonly keep: number
  /** Nothing younger is pruned. Default 0. */
  readonly minAge: Duration
  /** After `keepAll`, one per day stays up to this age. Default 'off'. */
  readonly daily: 'off' | { readonly keepAll: Duration; readonly upTo: Duration }
}

/** How many entries were examined, and the rows that were removed, by what they were. */
export interface PruneOutcome {
  readonly examined: number
  readonly removed: { readonly history: number; readonly leftovers: number; readonly unfinished: number }
  readonly failed: number
  /** There is more to examine now. */
  readonly more: boolean
}

/** The exact census of a collection. */
export interface Audit {
  readonly collection: string
  readonly entries: number
  readonly unfinished: number
  readonly revisions: number
  readonly perEntry: number
  readonly live: number
  readonly drafts: number
  readonly unreferenced: number
  /** Of the unreferenced: once pointed to. */
  readonly history: number
  /** Of the unreferenced: never pointed to, older than the grace. */
  readonly leftovers: number
  /** Of the unreferenced: younger than the grace, perhaps a save on its way. */
  readonly pending: number
  /** Of the unreferenced: imported from a source that does not say what they are. */
  readonly unknown: number
  readonly atLimit: number
  readonly prunableHistory: number
  readonly prunableLeftovers: number
}
