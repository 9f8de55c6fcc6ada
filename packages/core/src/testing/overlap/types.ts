import type { Driver } from '../../port/driver.ts'
import type { Actor, ExploreReport, Rules } from '../explore/types.ts'

/** One connection: what is used of a connected `Client` of pg. */
export interface OverlapClient {
  query(query: { text: string; values: unknown[] }): Promise<OverlapResult>
  end(): Promise<void>
}

export interface OverlapResult {
  readonly command: string
  readonly rows: object[]
  readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
}

export interface OverlapOptions extends Rules {
  /** Those who work at the same time, by name: two or three. Each has a connection of its own. */
  readonly actors: Readonly<Record<string, Actor>>
  /** Opens a connection, the same for each: one for each actor, two to look on. */
  connect(): Promise<OverlapClient>
  /** Makes the rows that stand before the actors begin; runs before every order, so it clears the tables too. */
  setup(driver: Driver): Promise<void>
  /** Runs so many drawn orders instead of all, for actors of many steps. */
  readonly sample?: number
  /** What `sample` draws with; printed with every failure. Default 1. */
  readonly seed?: number
}

export interface OverlapReport extends ExploreReport {
  /** Orders in which somebody had to wait for another's transaction. */
  readonly waited: number
}
