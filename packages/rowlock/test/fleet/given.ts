import assert from 'node:assert/strict'
import { ask, type TestHub } from '../hub.ts'

export interface PingReply {
  readonly status: number
  readonly text: string
  readonly headers: Headers
}

/** Opens a ping address, without a token. */
export async function ping(here: TestHub, path: string, init: RequestInit = {}): Promise<PingReply> {
  const response = await here.app.request(path, init)
  return { status: response.status, text: await response.text(), headers: response.headers }
}

type Json = Record<string, unknown>

/** Makes a device, and gives it as the API shows it. */
export async function makeDevice(here: TestHub, fields: Json): Promise<Json & { uuid: string }> {
  const { status, body } = await ask(here, 'POST /api/devices', fields)
  assert.equal(status, 201, JSON.stringify(body))
  return body as Json & { uuid: string }
}

export async function readDevice(here: TestHub, id: string): Promise<Json> {
  const { status, body } = await ask(here, `GET /api/devices/${encodeURIComponent(id)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** The outages of a device, oldest first, as [cause, end reason]. */
export async function outages(here: TestHub, device?: string): Promise<Json[]> {
  const { body } = await ask(here, `GET /api/downtimes${device === undefined ? '' : `?device=${device}`}`)
  return [...(body.downtimes as Json[])].reverse()
}

/** A check every minute, as a server makes them. */
export async function pass(here: TestHub, ms: number, each?: () => Promise<unknown>): Promise<void> {
  for (let passed = 0; passed < ms; passed += 60_000) {
    here.now += Math.min(60_000, ms - passed)
    await each?.()
    await here.hub.fleet.checker.check()
  }
}
