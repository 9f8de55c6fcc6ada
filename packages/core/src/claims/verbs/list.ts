import { InvalidInputError } from '../../errors.ts'
import { describe, plainText, wholeNumber } from '../../port/input.ts'
import type { ListOptions } from '../call-options.ts'
import { type Context, nowSlot, onShapes } from '../context.ts'
import { LONGEST_KEY } from '../input/keys.ts'
import type { ClaimPage } from '../types.ts'
import { seen } from '../view.ts'
import { viewed, viewTtl } from './inspect.ts'

const STATES: readonly unknown[] = ['free', 'held', 'done', undefined]

/** A page of rows in byte order of the key. Rows that change while one turns the pages are seen once or not at all. */
export async function list(context: Context, options: ListOptions = {}): Promise<ClaimPage> {
  const limit = wholeNumber('limit', options.limit ?? 100, 1, 1000)
  const after = options.after === undefined ? '' : plainText('after', options.after, LONGEST_KEY)
  const prefix = options.prefix === undefined ? '' : plainText('prefix', options.prefix, LONGEST_KEY)
  if (!STATES.includes(options.state)) {
    throw new InvalidInputError('state', `is ${describe(options.state)}`, 'free, held, done')
  }
  const { from, until } = context.keys.range(prefix)
  const state = options.state ?? null
  const slots = { after, from, until, state, limit: limit + 1, now: nowSlot(context, options.now) }
  return onShapes(context, async (shape) => {
    const ttl = viewTtl(context, shape, options)
    const rows = await context.driver.execute(shape.statements.list().with({ ...slots, ttl }))
    const page = rows.slice(0, limit).map((row) => seen(context, shape, row, ttl))
    return {
      claims: page.map((row) => viewed(context, row)),
      next: rows.length > limit ? page[limit - 1]!.key : null,
    }
  })
}
