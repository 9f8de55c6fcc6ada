import type { Driver } from '../../src/port/driver.ts'

/** A verb as an actor runs it, at the instant that its clock shows. */
export interface Verb {
  readonly name: string
  /** What it writes, in the words of the rules. */
  readonly kind: Kind
  run(driver: Driver, call: { readonly now: number; readonly holder: string }): Promise<unknown>
}

export type Kind =
  | 'acquire'
  | 'use'
  | 'renew'
  | 'complete'
  | 'release'
  | 'guarded'
  | 'claims-sweep'
  | 'look'
  | 'enqueue'
  | 'lease'
  | 'sent'
  | 'retry'
  | 'dead'
  | 'cancel'
  | 'redrive'
  | 'outbox-sweep'
  | 'switch'
