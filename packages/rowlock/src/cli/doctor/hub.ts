import { CommandError } from '../failure.ts'
import type { Api } from '../target/api.ts'
import { refusalOf } from '../target/refusal.ts'
import { type Finding, ok, wrong } from './finding.ts'

interface Ready {
  readonly checks?: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[]
}

/** A hub from outside: whether it lives, does its work, and takes the token. */
export async function examineHub(api: Api): Promise<readonly Finding[]> {
  const health = await api.send('GET', '/healthz')
  if (!health.ok) throw await refusalOf(health, api.place)
  const ready = await api.send('GET', '/readyz')
  const { checks = [] } = (await ready.json().catch(() => ({}))) as Ready
  return [
    ok('hub', 'answers'),
    ...checks.map(({ name, ok: fine, detail }) =>
      fine ? ok(name, detail) : wrong(name, detail, 'look at its log'),
    ),
    await tokenFinding(api),
  ]
}

async function tokenFinding(api: Api): Promise<Finding> {
  try {
    await api.get('/api/projects')
    return ok('token', 'is taken')
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    return wrong('token', error.message, error.hint)
  }
}
