import { styleText } from 'node:util'
import type { Screen } from '../session.ts'

export type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

/**
 * Colours for one stream: only on a terminal, never with NO_COLOR or --no-color; FORCE_COLOR and
 * --color bring them back.
 */
export function paintFor(
  screen: Screen,
  environment: Readonly<Record<string, string | undefined>>,
  wanted?: boolean,
): Paint {
  return hasColours(screen, environment, wanted)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text
}

function hasColours(
  { isTTY }: Screen,
  environment: Readonly<Record<string, string | undefined>>,
  wanted: boolean | undefined,
): boolean {
  if (wanted !== undefined) return wanted
  if (set(environment.NO_COLOR)) return false
  if (set(environment.FORCE_COLOR)) return environment.FORCE_COLOR !== '0'
  return isTTY === true && environment.TERM !== 'dumb'
}

function set(value: string | undefined): boolean {
  return value !== undefined && value !== ''
}

/** Colours that say how bad it is. */
export function levelStyle(level: string): Style | undefined {
  if (level === 'fatal') return ['bold', 'red']
  if (level === 'error') return 'red'
  return level === 'warning' ? 'yellow' : undefined
}
