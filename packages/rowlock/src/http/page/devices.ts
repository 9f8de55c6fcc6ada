import { html } from 'hono/html'
import { deviceStates } from '../../fleet/device/devices.ts'
import type { Device } from '../../fleet/types.ts'
import { ago, filterLinks, type Html, pageLink, shell } from './layout.ts'
import type { View } from './lists.ts'

export interface DevicesPage {
  readonly name: string
  readonly state: string | undefined
  readonly q: string | undefined
  readonly devices: readonly Device[]
  readonly next: string | null
}

export function devicesPage(page: DevicesPage, view: View): Html {
  const { name, state, q, devices, next } = page
  return shell(
    { title: 'Devices · Rowlock', name, current: '/devices', start: 'devices' },
    html`<section aria-labelledby="devices">
<h2 id="devices">Devices and jobs</h2>
<form class="search" method="get" action="/devices" role="search">
<label for="q">Name or id</label> <input id="q" name="q" type="search" value="${q ?? ''}" maxlength="200">
<button>Search</button></form>
${filterLinks('Devices by state', '/devices', { words: deviceStates, current: state })}
${devices.length === 0 ? none : deviceTable(devices, view)}
${next === null ? '' : html`<p><a href="${pageLink('/devices', { state, q, cursor: next })}">More devices</a></p>`}
</section>`,
  )
}

const none = html`<p class="empty">No devices here. <code>rowlock devices add tv-17</code> makes one and prints the address
that it opens to say that it is alive; <code>rowlock import</code> makes many.</p>`

function deviceTable(devices: readonly Device[], view: View): Html {
  return html`<table>
<thead><tr><th scope="col">Device</th><th scope="col">State</th><th scope="col">Last seen</th><th scope="col">Tags</th><th scope="col">Actions</th></tr></thead>
<tbody>${devices.map((device) => deviceRow(device, view))}</tbody>
</table>`
}

function deviceRow(device: Device, view: View): Html {
  const { id, name, lastSeenAt, tags } = device
  return html`<tr>
<td class="title"><a href="${devicePath(device)}">${name ?? id}</a>${name === null ? '' : html`<br><small>${id}</small>`}</td>
<td data-label="State">${stateOf(device)}</td>
<td data-label="Last seen">${lastSeenAt === null ? 'never' : ago(lastSeenAt, view.now)}</td>
<td data-label="Tags">${tags.length === 0 ? '–' : tags.join(', ')}</td>
<td class="actions">${deviceAction(device, view)}</td>
</tr>`
}

export const devicePath = ({ project, id }: { readonly project: number; readonly id: string }) =>
  `/devices/${project}/${encodeURIComponent(id)}`

export function stateOf({ state, late }: Device): Html {
  const word = late ? 'late' : state
  return html`<span class="state state-${word}">${word}</span>`
}

/** Pausing, or resuming what is paused, for those who may. */
export function deviceAction(device: Device, { mayWrite }: View): Html | '' {
  if (!mayWrite) return ''
  const action = device.state === 'paused' ? 'resume' : 'pause'
  return html`<form class="inline" method="post" action="${devicePath(device)}/${action}"><button aria-label="${action} ${device.id}">${action}</button></form>`
}
