import { InvalidInputError } from '@rowlock/core'
import { Hono } from 'hono'
import { json } from '../../http/answer.ts'
import { readBytes } from '../../http/body.ts'
import { authorize, type Door } from '../../http/credentials.ts'
import { projectOf } from '../project.ts'
import { truthFromQuery } from '../query.ts'

/** POST /api/import: devices from CSV, or a project of Healthchecks from the JSON that its API lists. `?dryRun=1` only counts. */
export function importRoutes(door: Door): Hono {
  const { hub } = door
  const routes = new Hono()

  routes.post('/api/import', async (context) => {
    const identity = await authorize(context, door, 'write')
    const project = await projectOf(context, hub, identity)
    const encoding = context.req.query('encoding')
    const options = { dryRun: truthFromQuery(context, 'dryRun') ?? false }
    const bytes = await readBytes(context.req.raw, hub.config.maxBody)
    const type = context.req.header('content-type') ?? ''
    const named = encoding ?? /charset="?([\w-]+)/i.exec(type)?.[1]
    const result = isJson(type, bytes)
      ? await hub.fleet.imports.healthchecks(project, parse(bytes), options)
      : await hub.fleet.imports.csv(project, bytes, {
          ...options,
          ...(named === undefined ? {} : { encoding: named }),
        })
    return json(context, result)
  })

  return routes
}

/** By the content type; where it says neither, by the first character: no header of CSV begins with a brace. */
function isJson(type: string, bytes: Uint8Array): boolean {
  if (/^application\/([\w.+-]+\+)?json\b/i.test(type)) return true
  if (/\bcsv\b/i.test(type)) return false
  return /^\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 100)))
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const reason = (error as Error).message.slice(0, 200)
    throw new InvalidInputError('body', `is not JSON (${reason})`, 'the answer of GET /api/v3/checks/')
  }
}
