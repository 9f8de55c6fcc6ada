import { show } from '../assert.ts'
import type { Choice } from './choice.ts'
import type { Crash, TraceStep, Violation } from './types.ts'

/** A choice as a failure prints it and `replay` takes it: `alice`, or `alice killed after`. */
export function labelOf({ actor, crash }: Choice): string {
  return crash === undefined ? actor : `${actor} ${crashLabel(crash)}`
}

export function crashLabel({ at, fate }: Crash): string {
  return `${fate} ${at}`
}

/** A violation as text: what was wrong, every step with its rows, and how to run it again. */
export function describeViolation({ error, trace, replay }: Violation, seed?: number): string {
  const width = Math.max(...trace.map(({ actor }) => actor.length), 0)
  const lines = trace.map(
    (step, index) => `  ${index + 1}. ${step.actor.padEnd(width)}  ${describeStep(step)}`,
  )
  const message = error instanceof Error ? error.message : String(error)
  const drawn = seed === undefined ? '' : `\n(drawn with seed ${seed})`
  return `${message}\n${lines.join('\n')}\nreplay: ${show(replay)}${drawn}`
}

function describeStep({ statements, rows, error, crash, waited }: TraceStep): string {
  const names = statements.length === 1 ? statements[0] : `[${statements.join(', ')}]`
  const came = rows ? ` -> ${rows.join(', ')} rows` : error === undefined ? '' : ` -> ${show(error)}`
  const met = crash === undefined ? '' : `  (${crashLabel(crash)} this step)`
  return `${names}${came}${waited ? '  (had to wait)' : ''}${met}`
}
