import type { Statement } from '@rowlock/core'
import {
  EngineError,
  GuardError,
  InvalidInputError,
  type RowlockError,
  SchemaError,
  UnavailableError,
} from '@rowlock/core'

/** What a process is asked to do on its connection. */
export type Question =
  | { readonly kind: 'open'; readonly path: string }
  | { readonly kind: 'execute'; readonly statement: Statement }
  | { readonly kind: 'batch'; readonly statements: readonly Statement[] }
  | { readonly kind: 'close' }

export interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: FlatError
}

/** An error as it travels between processes: its class does not survive the way, so its name goes along. */
export interface FlatError {
  readonly name: string
  readonly message: string
  readonly properties: Readonly<Record<string, unknown>>
}

const CLASSES: Readonly<Record<string, { readonly prototype: RowlockError }>> = {
  EngineError,
  GuardError,
  InvalidInputError,
  SchemaError,
  UnavailableError,
}

export function flatten(error: unknown): FlatError {
  const { name, message } = error as Error
  const properties = Object.fromEntries(Object.entries(error as Error).filter(([key]) => key !== 'name'))
  return { name, message, properties }
}

export function toError({ name, message, properties }: FlatError): Error {
  const prototype = CLASSES[name]?.prototype ?? Error.prototype
  const error = Object.create(prototype, { message: { value: message } })
  return Object.assign(error, properties, { name, stack: new Error(message).stack })
}
