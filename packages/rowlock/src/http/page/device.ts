import { html } from 'hono/html'
import type { Outage } from '../../fleet/history/history.ts'
import type { UptimePage } from '../../fleet/history/uptime.ts'
import type { Device, Ping } from '../../fleet/types.ts'
import { deviceAction, stateOf } from './devices.ts'
import { ago, type Html, shell } from './layout.ts'
import type { View } from './lists.ts'
import { lengthOf, outageTable } from './outages.ts'

export interface DevicePage {
  readonly name: string
  readonly device: Device
  readonly pings: readonly Ping[]
  readonly outages: readonly Outage[]
  readonly uptime: UptimePage
  readonly origin: string
}

export function devicePage(page: DevicePage, view: View): Html {
  const { name, device, pings, outages, uptime } = page
  const { id, description } = device
  return shell(
    { title: `${device.name ?? id} · Rowlock`, name, current: '/devices', start: 'device' },
    html`<section aria-labelledby="device">
<h2 id="device">${device.name ?? id} ${stateOf(device)} ${deviceAction(device, view)}</h2>
${description === null ? '' : html`<p>${description}</p>`}
${facts(device, view)}
</section>
<section aria-labelledby="uptime"><h2 id="uptime">The last 30 days</h2>${days(uptime)}</section>
<section aria-labelledby="outages"><h2 id="outages">Outages</h2>${outageTable(outages, view)}</section>
<section aria-labelledby="pings"><h2 id="pings">Pings</h2>${pingTable(pings, view)}</section>
${view.mayWrite ? addressSection(page) : ''}`,
  )
}

function facts(device: Device, { now }: View): Html {
  const { id, state, lastSeenAt, deadlineAt, schedule, timezone, periodMs, graceMs, tags, parent } = device
  const fact = (name: string, value: Html | string | null) =>
    value === null ? '' : html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`<dl class="facts">
${fact('Id', id)}
${fact('Last seen', lastSeenAt === null ? 'never' : ago(lastSeenAt, now))}
${fact('Expected', schedule === null ? `every ${lengthOf(periodMs)}` : `${schedule} (${timezone ?? 'UTC'})`)}
${fact('Grace', lengthOf(graceMs))}
${fact('Down at', deadlineAt === null || state !== 'up' ? null : new Date(deadlineAt).toISOString())}
${fact('Tags', tags.length === 0 ? null : tags.join(', '))}
${fact('Behind', parent)}
</dl>`
}

/** A square for each day: its text says what its colour says. */
function days({ periods, devices }: UptimePage): Html {
  const [device] = devices
  if (device === undefined) return html`<p class="empty">Nothing is known yet.</p>`
  const day = (index: number) => {
    const ratio = device.periods[index]?.ratio ?? null
    const kind = ratio === null ? 'unknown' : ratio === 1 ? 'up' : ratio >= 0.99 ? 'part' : 'down'
    const text = `${periods[index]?.name}: ${percent(ratio)}`
    return html`<li class="day-${kind}" title="${text}"><span>${text}</span></li>`
  }
  const { ratio, outages } = device.total
  return html`<ol class="days">${periods.map((_, index) => day(index))}</ol>
<p class="soft">${percent(ratio)} up, ${outages} ${outages === 1 ? 'outage' : 'outages'}; by days of UTC.</p>`
}

function percent(ratio: number | null): string {
  // Never 100 % where there was an outage, however short.
  return ratio === null ? 'not known' : `${(Math.floor(ratio * 10_000) / 100).toFixed(2)} %`
}

function pingTable(pings: readonly Ping[], { now }: View): Html {
  if (pings.length === 0) return html`<p class="empty">Nothing has come to its address yet.</p>`
  return html`<table>
<thead><tr><th scope="col">Ping</th><th scope="col">When</th><th scope="col">Took</th><th scope="col">From</th></tr></thead>
<tbody>${pings.map(
    ({ kind, exitStatus, receivedAt, durationMs, remote, body }) => html`<tr>
<td class="title">${kind}${exitStatus === null ? '' : ` (${exitStatus})`}${body === null || body === '' ? '' : html`<br><small>${body.slice(0, 200)}</small>`}</td>
<td data-label="When">${ago(receivedAt, now)}</td>
<td data-label="Took">${durationMs === null ? '–' : lengthOf(durationMs)}</td>
<td data-label="From">${remote ?? '–'}</td>
</tr>`,
  )}</tbody>
</table>`
}

function addressSection({ device, origin }: DevicePage): Html {
  const address = `${origin}/ping/${device.uuid}`
  return html`<section aria-labelledby="address"><h2 id="address">Its address</h2>
<p class="soft">Whoever opens it says that this device is alive; keep it to yourself.</p>
<pre tabindex="0"><code>curl -fsS -m 10 --retry 3 ${address}

# a job, with its start and its exit status
rowlock run ${device.id} --ttl 1h --ping ${address} -- ./job.sh</code></pre></section>`
}
