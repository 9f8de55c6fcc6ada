import { html } from 'hono/html'
import type { Delivery } from '../../deliveries/deliveries.ts'
import { type Issue, type IssueState, issueStates } from '../../events/issues.ts'
import type { Project } from '../../identity/projects.ts'
import { type Html, layout } from './layout.ts'
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
  return layout(
    'Rowlock',
    html`<a class="skip" href="#issues">Skip to the issues</a>
<header>
<h1>Rowlock</h1>
<span class="soft">signed in as ${home.name}</span>
<form class="inline" method="post" action="/sign-out"><button>Sign out</button></form>
</header>
<main>
<section aria-labelledby="issues">
<h2 id="issues">Issues</h2>
${stateLinks(home.state)}
${issueTable(home.issues, view)}
${home.next === null ? '' : html`<p><a href="${pageLink(home.state, home.next)}">Older issues</a></p>`}
</section>
<section aria-labelledby="deliveries"><h2 id="deliveries">Deliveries</h2>${deliveryTable(home.deliveries, view)}</section>
${home.projects.length === 0 ? '' : sendSection(home)}
</main>`,
  )
}

function sendSection({ origin, projects }: Home): Html {
  return html`<section aria-labelledby="send"><h2 id="send">Send an event</h2>
<p class="soft">The key only sends events. The answer says which issue it became and whether it won the window.</p>
${snippet(origin, projects)}</section>`
}

function stateLinks(current: IssueState | undefined): Html {
  const link = (state: IssueState | undefined, name: string) =>
    html`<a href="${pageLink(state)}"${state === current ? html` aria-current="page"` : ''}>${name}</a>`
  return html`<nav aria-label="Issues by state">${link(undefined, 'all')}${issueStates.map((state) => link(state, state))}</nav>`
}

function pageLink(state: IssueState | undefined, cursor?: string): string {
  const query = new URLSearchParams({ ...(state && { state }), ...(cursor && { cursor }) }).toString()
  return query === '' ? '/' : `/?${query}`
}
