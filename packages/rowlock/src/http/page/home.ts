import { html } from 'hono/html'
import type { Delivery } from '../../deliveries/deliveries.ts'
import { type Issue, type IssueState, issueStates } from '../../events/issues.ts'
import type { Project } from '../../identity/projects.ts'
import { filterLinks, type Html, pageLink, shell } from './layout.ts'
import { deliveryTable, issueTable, snippet, type View } from './lists.ts'

export interface Home {
  readonly name: string
  readonly state: IssueState | undefined
  readonly issues: readonly Issue[]
  readonly next: string | null
  readonly deliveries: readonly Delivery[]
  /** Empty for who may not send events. */
  readonly projects: readonly Project[]
  readonly origin: string
}

export function homePage(home: Home, view: View): Html {
  const { name, state, next } = home
  return shell(
    { title: 'Rowlock', name, current: '/', start: 'issues' },
    html`<section aria-labelledby="issues">
<h2 id="issues">Issues</h2>
${filterLinks('Issues by state', '/', { words: issueStates, current: state })}
${issueTable(home.issues, view)}
${next === null ? '' : html`<p><a href="${pageLink('/', { state, cursor: next })}">Older issues</a></p>`}
</section>
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>${deliveryTable(home.deliveries, view)}</section>
${home.projects.length === 0 ? '' : sendSection(home)}`,
  )
}

function sendSection({ origin, projects }: Home): Html {
  return html`<section aria-labelledby="send"><h2 id="send">Send an event</h2>
<p class="soft">The key only sends events. The answer says which issue it became and whether it won the window.</p>
${snippet(origin, projects)}</section>`
}
