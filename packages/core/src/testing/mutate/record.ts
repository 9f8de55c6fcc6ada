import type { Driver, Statement } from '../../port/driver.ts'
import type { Engine } from '../engine.ts'
import { changed, onEngine } from './through.ts'

/** What went through a driver: each text and each batch once, as it was first seen. */
export interface Recording {
  readonly statements: readonly Statement[]
  readonly batches: readonly (readonly Statement[])[]
}

/** An engine whose drivers write down what is sent. */
export function recorded(engine: Engine): { readonly engine: Engine; taken(): Recording } {
  const statements = new Map<string, Statement>()
  const batches = new Map<string, readonly Statement[]>()
  const wrap = (driver: Driver) =>
    changed(driver, {
      statement(statement) {
        const key = keyOf(statement)
        if (!statements.has(key)) statements.set(key, statement)
        return statement
      },
      batch(batch) {
        const key = batch.map(keyOf).join('\u0000')
        if (!batches.has(key)) batches.set(key, batch)
        return batch
      },
    })
  return {
    engine: onEngine(engine, wrap),
    taken: () => ({ statements: [...statements.values()], batches: [...batches.values()] }),
  }
}

function keyOf({ name, text, expect }: Statement): string {
  return `${name}\u0000${text}\u0000${expect}`
}
