import { html } from 'hono/html'
import type { CheckRecord, Outage } from '../../fleet/history/history.ts'
import { devicePath } from './devices.ts'
import { ago, filterLinks, type Html, pageLink, shell } from './layout.ts'
import type { View } from './lists.ts'

export interface OutagesPage {
  readonly name: string
  readonly state: 'open' | undefined
  readonly downtimes: readonly Outage[]
  readonly next: string | null
}

export function outagesPage({ name, state, downtimes, next }: OutagesPage, view: View): Html {
  return shell(
    { title: 'Outages · Rowlock', name, current: '/downtimes', start: 'outages' },
    html`<section aria-labelledby="outages">
<h2 id="outages">Outages</h2>
${filterLinks('Outages by state', '/downtimes', { words: ['open'], current: state })}
${outageTable(downtimes, view)}
${next === null ? '' : html`<p><a href="${pageLink('/downtimes', { state, cursor: next })}">Older outages</a></p>`}
<p><a href="/api/downtimes?format=csv">All of them as CSV</a></p>
</section>`,
  )
}

export function outageTable(outages: readonly Outage[], view: View): Html {
  if (outages.length === 0) return html`<p class="empty">No outages here.</p>`
  return html`<table>
<thead><tr><th scope="col">Device</th><th scope="col">State</th><th scope="col">Began</th><th scope="col">Lasted</th><th scope="col">Told</th></tr></thead>
<tbody>${outages.map((outage) => outageRow(outage, view))}</tbody>
</table>`
}

function outageRow(outage: Outage, { now }: View): Html {
  const { device, name, startedAt, endedAt, durationMs, cause, reason, suppressedBy } = outage
  const lasts = endedAt === null
  return html`<tr>
<td class="title"><a href="${devicePath({ project: outage.project, id: device })}">${name ?? device}</a><br><small>${cause}${reason === null ? '' : `: ${reason}`}</small></td>
<td data-label="State"><span class="state state-${lasts ? 'down' : 'ended'}">${lasts ? 'down' : 'ended'}</span></td>
<td data-label="Began">${ago(startedAt, now)}</td>
<td data-label="Lasted">${lengthOf(durationMs ?? Math.max(0, now - startedAt))}</td>
<td data-label="Told">${suppressedBy === null ? 'yes' : `no: ${suppressedBy}`}</td>
</tr>`
}

export interface ChecksPage {
  readonly name: string
  readonly checks: readonly CheckRecord[]
  readonly next: string | null
}

export function checksPage({ name, checks, next }: ChecksPage, view: View): Html {
  return shell(
    { title: 'Checks · Rowlock', name, current: '/checks', start: 'checks' },
    html`<section aria-labelledby="checks">
<h2 id="checks">Checks</h2>
<p class="soft">Found is what looked silent or back; opened, ended and alerts are rows that were written. Of two checks at one
instant one opens the outage.</p>
${checks.length === 0 ? html`<p class="empty">No checks yet: there are no devices.</p>` : checkTable(checks, view)}
${next === null ? '' : html`<p><a href="${pageLink('/checks', { cursor: next })}">Older checks</a></p>`}
</section>`,
  )
}

function checkTable(checks: readonly CheckRecord[], { now }: View): Html {
  return html`<table>
<thead><tr><th scope="col">When</th><th scope="col">Found</th><th scope="col">Opened</th><th scope="col">Ended</th><th scope="col">Alerts</th><th scope="col">Verdict</th></tr></thead>
<tbody>${checks.map(
    (check) => html`<tr>
<td>${ago(check.checkedAt, now)} <small>project ${check.project}</small></td>
<td class="number" data-label="Found">${check.newlyDown} silent, ${check.recovered} back</td>
<td class="number" data-label="Opened">${check.opened}</td>
<td class="number" data-label="Ended">${check.closed}</td>
<td class="number" data-label="Alerts">${check.alertsQueued}</td>
<td data-label="Verdict">${check.verdict}</td>
</tr>`,
  )}</tbody>
</table>`
}

const units: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
]

/** A length of time in its two largest units: `2 h 5 m`. */
export function lengthOf(ms: number): string {
  const first = units.findIndex(([length]) => ms >= length)
  if (first < 0) return ms === 0 ? '0 s' : 'under 1 s'
  const [large, small] = [units[first]!, units[first + 1]]
  const rest = small === undefined ? 0 : Math.floor((ms % large[0]) / small[0])
  const whole = `${Math.floor(ms / large[0])} ${large[1]}`
  return small === undefined || rest === 0 ? whole : `${whole} ${rest} ${small[1]}`
}
