import { type Duration, duration } from '../port/input.ts'
import type { CheckRules } from './model-check.ts'

export interface ModelOptions {
  readonly scope?: string
  readonly clock?: () => number
  readonly every?: Duration
  readonly downAfter?: Duration
  readonly lateAfter?: Duration
  readonly episodeWindow?: Duration
  readonly flapping?: { readonly changes?: number; readonly within?: Duration }
  readonly mass?: { readonly share?: number; readonly least?: number; readonly holdTicks?: number }
  readonly announceTo?: readonly string[]
}

/** The options with their defaults. */
export function settingsOf(options: ModelOptions) {
  const { scope = '', announceTo = [], mass = {}, flapping = {} } = options
  const defaults = {
    downAfterMs: duration('downAfter', options.downAfter ?? '5m'),
    lateAfterMs: options.lateAfter === undefined ? null : duration('lateAfter', options.lateAfter),
  }
  const rules: CheckRules = {
    scope,
    announceTo,
    everyMs: duration('every', options.every ?? '1m'),
    episodeWindowMs: duration('episodeWindow', options.episodeWindow ?? '10m'),
    flapping: {
      changes: flapping.changes ?? 6,
      withinMs: duration('flapping.within', flapping.within ?? '1h'),
    },
    mass: { share: mass.share ?? 0.5, least: mass.least ?? 5, holdTicks: mass.holdTicks ?? 2 },
  }
  return { rules, defaults }
}
