import type { Driver } from '../../port/driver.ts'
import type { Engine, OpenEngine } from '../engine.ts'

/** Fresh data for each order: brought back from a snapshot where the engine can, opened anew elsewhere. */
export interface Bench {
  fresh(): Promise<Driver>
  close(): Promise<void>
}

export function createBench(
  engine: Engine,
  setup: (driver: Driver) => Promise<void> = async () => {},
): Bench {
  let opened: OpenEngine | undefined
  let bringBack: (() => boolean) | undefined

  const close = async () => {
    await opened?.dispose()
    opened = undefined
  }

  return {
    async fresh() {
      if (opened !== undefined && bringBack?.()) return opened.driver
      await close()
      opened = await engine.open()
      await setup(opened.driver)
      bringBack = opened.snapshot?.()
      return opened.driver
    },
    close,
  }
}
