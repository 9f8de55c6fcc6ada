import { printNote } from '../output/print.ts'
import type { Session } from '../session.ts'
import { type Api, createApi, type Place } from './api.ts'
import { chooseTarget } from './choose.ts'

/** Opens what the options name, and says which it is. */
export async function openTarget(session: Session, quietly: boolean): Promise<Api> {
  const chosen = chooseTarget(session, session.options)
  if (!quietly) sayWhere(session, chosen.place)
  if (chosen.kind === 'database') {
    const { openDatabaseApi } = await import('./database.ts')
    return await openDatabaseApi(session, chosen)
  }
  const { place, base, secret } = chosen
  return createApi({ place, base, secret, fetch: (request) => fetch(request), close: async () => {} })
}

/** On standard error, so that it stands in nobody's way. */
export function sayWhere(session: Session, { kind, name, origin }: Place): void {
  if (session.options.json === true) session.err.write(`${JSON.stringify({ [kind]: name, from: origin })}\n`)
  else printNote(session, `${kind} ${name}${origin.startsWith('--') ? '' : ` (${origin})`}`)
}
