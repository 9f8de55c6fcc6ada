import assert from 'node:assert/strict'

/** A hub somewhere, reached by requests only. */
export interface HubUnderTest {
  fetch(path: string, init?: RequestInit): Promise<Response>
  readonly adminToken: string
}

type Json = Record<string, unknown>

export interface Client {
  ask(request: string, body?: unknown): Promise<{ status: number; body: Json }>
  /** A file, as it is. */
  upload(request: string, type: string, file: string): Promise<{ status: number; body: Json }>
  send(body: unknown): Promise<{ status: number; body: Json }>
  /** Without a token, as it is. */
  open(path: string, init?: RequestInit): Promise<{ status: number; text: string }>
}

/** Asks with the admin token, sends with the first project's key. */
export async function clientOf(hub: HubUnderTest): Promise<Client> {
  const call = async (request: string, token: string, type: string, text?: string) => {
    const [method = '', path = ''] = request.split(' ')
    const body = text === undefined ? {} : { body: text }
    const headers = {
      authorization: `Bearer ${token}`,
      ...(text === undefined ? {} : { 'content-type': type }),
    }
    const response = await hub.fetch(path, { method, headers, ...body })
    return { status: response.status, body: (await response.json()) as Json }
  }
  const json = (request: string, token: string, body?: unknown) =>
    call(request, token, 'application/json', body === undefined ? undefined : JSON.stringify(body))
  const ask: Client['ask'] = (request, body) => json(request, hub.adminToken, body)
  const { body } = await ask('GET /api/projects')
  const [project] = body.projects as { ingestKey: string }[]
  assert.ok(project)
  return {
    ask,
    upload: (request, type, file) => call(request, hub.adminToken, type, file),
    send: (event) => json('POST /api/events', project.ingestKey, event),
    async open(path, init) {
      const response = await hub.fetch(path, init)
      return { status: response.status, text: await response.text() }
    },
  }
}
