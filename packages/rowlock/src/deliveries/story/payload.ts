import type { Fact } from './types.ts'
import { cut, oneLine } from './words.ts'

/** A payload whose fields are read one by one, since it was written by another version perhaps. */
export class Payload {
  readonly #fields: Readonly<Record<string, unknown>>

  constructor(parsed: unknown) {
    this.#fields = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  }

  /** The field as one line; empty where it is missing. */
  text(name: string, longest = 300): string {
    const value = this.#fields[name]
    return typeof value === 'string' || typeof value === 'number' ? cut(oneLine(String(value)), longest) : ''
  }

  number(name: string): number | undefined {
    const value = this.#fields[name]
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined
  }

  /** The fields of an object inside; none where it is missing. */
  part(name: string): Payload {
    return new Payload(this.#fields[name])
  }

  list(name: string): readonly unknown[] {
    const value = this.#fields[name]
    return Array.isArray(value) ? value : []
  }
}

/** The instant as a fact, where there is one. */
export function instant(name: string, at: number | undefined): readonly Fact[] {
  return at === undefined ? [] : [{ name, value: { at } }]
}
