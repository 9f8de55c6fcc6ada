import { DatabaseSync } from 'node:sqlite'
import { type Claims, createClaims } from '../../src/claims/index.ts'
import { sqlite } from '../../src/drivers/sqlite.ts'

export async function freshClaims(): Promise<Claims> {
  const claims = createClaims(sqlite(new DatabaseSync(':memory:')))
  await claims.install()
  return claims
}

/** Sends one request to whatever is under test. */
export type Send = (request: Request) => Promise<Response>

export function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = { 'idempotency-key': '"key-1"' },
): Request {
  return new Request(`http://localhost${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-user': 'anna', ...headers },
  })
}

/** The parts of a response that matter here. */
export async function seen(
  response: Response,
): Promise<[status: number, body: unknown, replayed: string | null]> {
  const text = await response.text()
  const body =
    text !== '' && /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text
  return [response.status, body.title ?? body, response.headers.get('idempotency-replayed')]
}

/** What the handler does at each call, and how often it was called. */
export interface Work {
  calls: number
  next(body: unknown): Promise<{ status: number; body: string; headers?: Record<string, string> }>
}

export function work(): Work {
  return {
    calls: 0,
    async next() {
      return { status: 201, body: JSON.stringify({ order: this.calls }), headers: { location: '/orders/1' } }
    },
  }
}
