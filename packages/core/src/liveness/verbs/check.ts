import { plainText } from '../../port/input.ts'
import { orUnknown } from '../../port/run.ts'
import { LONGEST_ID } from '../input/settings.ts'
import type { Liveness, Parts } from '../liveness.ts'
import type { Verdict } from '../types.ts'
import { FIRST, lookAround, readPage } from './check-read.ts'
import { type Call, NOTHING, repair, type Totals, writePage } from './check-write.ts'
import { refuseAlso } from './together.ts'

export function check(parts: Parts): Liveness['check'] {
  return async (options = {}) => {
    const run = options.run === undefined ? crypto.randomUUID() : plainText('run', options.run, LONGEST_ID)
    const call: Call = { run, now: parts.settings.now(options.now), also: options.also ?? [] }
    refuseAlso(parts.driver, call.also)
    const begun = performance.now()
    return await orUnknown(async () => {
      const { already, verdict, ...totals } = await inPages(parts, call)
      const raced = Math.max(0, totals.newlyDown - totals.opened - already)
      const durationMs = Math.max(0, Math.round(performance.now() - begun))
      return { ok: true, run, ...totals, raced, verdict, durationMs }
    })
  }
}

/** Reads and writes what is due, page by page. Another checker that woke first makes this one read everything anew. */
async function inPages(parts: Parts, call: Call): Promise<Totals & { readonly verdict: Verdict }> {
  let around = await lookAround(parts, call.now)
  const repairs = (around.ticks + 1) % parts.settings.repairEvery === 0
  let totals: Totals = { ...NOTHING, repaired: repairs ? await repair(parts, call) : 0 }
  let page = await readPage(parts, around, FIRST)
  let { also } = call
  for (let first = true; ; ) {
    const written = await writePage(
      parts,
      { ...call, also: page.more ? [] : also },
      { around, page, totals, first },
    )
    if (written === 'woken by another') {
      around = await lookAround(parts, call.now)
      page = await readPage(parts, around, FIRST)
      continue
    }
    const closes = written.closed > totals.closed
    totals = written
    if (!page.more) also = []
    if (!page.more && !(page.moreBack && closes)) return { ...totals, verdict: page.found.verdict }
    first = false
    page = await readPage(parts, page.around, page.next)
  }
}
