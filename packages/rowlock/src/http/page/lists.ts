import { html } from 'hono/html'
import type { Delivery } from '../../deliveries/deliveries.ts'
import type { Issue } from '../../events/issues.ts'
import type { Project } from '../../identity/projects.ts'
import { ago, type Html } from './layout.ts'

/** Whether the reader may change things, and the clock by which "ago" is counted. */
export interface View {
  readonly now: number
  readonly mayWrite: boolean
}

export function issueTable(issues: readonly Issue[], view: View): Html {
  if (issues.length === 0)
    return html`<p class="empty">No issues here. Each kind of trouble becomes one, however often it happens.</p>`
  return html`<table>
<thead><tr><th scope="col">Issue</th><th scope="col">State</th><th scope="col">Events</th><th scope="col">Last seen</th><th scope="col">Won</th><th scope="col">Actions</th></tr></thead>
<tbody>${issues.map((issue) => issueRow(issue, view))}</tbody>
</table>`
}

function issueRow(issue: Issue, { now, mayWrite }: View): Html {
  const { id, title, level, source, state, count, claim } = issue
  return html`<tr>
<td class="title">${title}<br><small><span class="level-${level}">${level}</span> · ${source}</small></td>
<td data-label="State"><span class="state state-${state}">${state}</span></td>
<td class="number" data-label="Events">${count.toLocaleString('en')}</td>
<td data-label="Last seen">${ago(issue.lastSeenAt, now)}</td>
<td data-label="Won">${claim === null ? '–' : ago(claim.claimedAt, now)}</td>
<td class="actions">${mayWrite ? issueActions(id, state) : ''}</td>
</tr>`
}

function issueActions(id: string, state: Issue['state']): Html {
  const actions = state === 'open' ? ['resolve', 'ignore'] : ['reopen']
  return html`${actions.map(
    (action) =>
      html`<form class="inline" method="post" action="/issues/${encodeURIComponent(id)}/${action}"><button aria-label="${action} ${id}">${action}</button></form>`,
  )}`
}

export function deliveryTable(deliveries: readonly Delivery[], view: View): Html {
  if (deliveries.length === 0)
    return html`<p class="empty">No deliveries yet. Add a destination, and every won window is told to it.</p>`
  return html`<table>
<thead><tr><th scope="col">Delivery</th><th scope="col">State</th><th scope="col">Attempts</th><th scope="col">Created</th><th scope="col">Actions</th></tr></thead>
<tbody>${deliveries.map((delivery) => deliveryRow(delivery, view))}</tbody>
</table>`
}

function deliveryRow(delivery: Delivery, { now, mayWrite }: View): Html {
  const { id, state, attempts, lastError, url, topic } = delivery
  const redrive = html`<form class="inline" method="post" action="/deliveries/${id}/redrive"><button aria-label="redrive delivery ${id}">redrive</button></form>`
  return html`<tr>
<td class="title">${titleOf(delivery)}<br><small>${topic} → ${url}</small>${lastError === null ? '' : html`<br><small class="error">${lastError}</small>`}</td>
<td data-label="State"><span class="state state-${state}">${state}</span></td>
<td class="number" data-label="Attempts">${attempts}</td>
<td data-label="Created">${ago(delivery.createdAt, now)}</td>
<td class="actions">${mayWrite && state === 'dead' ? redrive : ''}</td>
</tr>`
}

/** What the notice is about. */
function titleOf({ payload, topic }: Delivery): string {
  const { title } = (payload ?? {}) as { title?: unknown }
  return typeof title === 'string' ? title : topic
}

/** What sends the first event, ready to be pasted into a shell. */
export function snippet(origin: string, projects: readonly Project[]): Html {
  return html`${projects.map(
    ({ name, ingestKey }) => html`<h3>${name}</h3>
<pre tabindex="0"><code>curl ${origin}/api/events \\
  -H 'Authorization: Bearer ${ingestKey}' \\
  -d '{"source":"shell","level":"error","message":"Hello from curl"}'</code></pre>`,
  )}`
}
