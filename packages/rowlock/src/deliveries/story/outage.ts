import type { Notice } from '../kinds/kind.ts'
import { instant, type Payload } from './payload.ts'
import type { Fact, Story } from './types.ts'
import { cut, lengthOf, oneLine } from './words.ts'

/** Outages; the payloads are written by the library's liveness. */

export function subjectDown(payload: Payload): Story {
  return {
    ...outage(payload),
    title: `${nameOf(payload)} is down`,
    facts: [
      ...beginning(payload),
      ...instant('Noticed', payload.number('detectedAt')),
      ...circumstances(payload),
    ],
  }
}

export function subjectStillDown(payload: Payload, { createdAt }: Notice): Story {
  const startedAt = payload.number('startedAt')
  const length = startedAt === undefined ? [] : [{ name: 'For', value: lengthOf(createdAt - startedAt) }]
  return {
    ...outage(payload),
    title: `${nameOf(payload)} is still down`,
    facts: [...length, ...beginning(payload), ...circumstances(payload)],
  }
}

export function subjectUp(payload: Payload): Story {
  const durationMs = payload.number('durationMs')
  const length = durationMs === undefined ? [] : [{ name: 'Was down for', value: lengthOf(durationMs) }]
  return {
    ...outage(payload),
    title: `${nameOf(payload)} is up again`,
    mood: 'good',
    severity: 'info',
    facts: [
      ...length,
      ...instant('From', payload.number('startedAt')),
      ...instant('To', payload.number('endedAt')),
      ...circumstances(payload),
    ],
  }
}

/** Many at once are told as one. */
export function fleetDown(payload: Payload): Story {
  const { count, named } = massOf(payload)
  return {
    ...fleet(payload),
    title: count === 1 ? '1 device is down' : `${count} devices are down`,
    facts: [...beginning(payload), ...instant('Noticed', payload.number('detectedAt')), ...named],
  }
}

export function fleetStillDown(payload: Payload, { createdAt }: Notice): Story {
  const { count, of, named } = massOf(payload)
  const startedAt = payload.number('startedAt')
  const length = startedAt === undefined ? [] : [{ name: 'For', value: lengthOf(createdAt - startedAt) }]
  const whole = of === undefined || of === count ? '' : ` of ${of}`
  return {
    ...fleet(payload),
    title: `${count}${whole} devices are still down`,
    facts: [...length, ...beginning(payload), ...named],
  }
}

export function fleetUp(payload: Payload): Story {
  const { count } = massOf(payload)
  return {
    ...fleet(payload),
    title: `The ${count} devices that were down are up again, or no longer watched`,
    mood: 'good',
    severity: 'info',
    facts: beginning(payload),
  }
}

function fleet(payload: Payload): Pick<Story, 'mood' | 'severity' | 'path' | 'thread'> {
  return {
    mood: 'bad',
    severity: 'critical',
    path: '/devices?state=down',
    thread: `fleet:${payload.text('scope')}`,
  }
}

function massOf(payload: Payload): { count: number; of: number | undefined; named: readonly Fact[] } {
  const mass = payload.part('mass')
  const names = mass
    .list('subjects')
    .map(subjectName)
    .filter((name) => name !== '')
  const count = mass.number('count') ?? names.length
  const others = count - names.length
  const list = `${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
  const named = names.length === 0 ? [] : [{ name: 'Which', value: cut(list, 900) }]
  return { count, of: mass.number('of'), named }
}

function outage(payload: Payload): Pick<Story, 'mood' | 'severity' | 'path' | 'thread'> {
  const scope = payload.text('scope')
  const subject = payload.text('subject', 500)
  const project = scope === '' ? '' : `?project=${encodeURIComponent(scope)}`
  return {
    mood: 'bad',
    severity: 'critical',
    path: `/devices/${encodeURIComponent(subject)}${project}`,
    thread: `subject:${scope}:${subject}`,
  }
}

function nameOf(payload: Payload): string {
  return named(payload.text('label', 150), payload.text('subject', 150))
}

function named(label: string, id: string): string {
  if (label === '' || label === id) return id || 'A device'
  return id === '' ? label : `${label} (${id})`
}

/** A subject in a list: its id, or an object with id and label. */
function subjectName(given: unknown): string {
  if (typeof given === 'string') return cut(oneLine(given), 100)
  if (typeof given !== 'object' || given === null) return ''
  const { id, subject, label } = given as Record<string, unknown>
  const text = [label, id, subject].find((part) => typeof part === 'string' && part !== '')
  return typeof text === 'string' ? cut(oneLine(text), 100) : ''
}

const beginnings: Readonly<Record<string, string>> = {
  silent: 'Silent since',
  failed: 'Failed at',
  'never appeared': 'Expected since',
}

function beginning(payload: Payload): readonly Fact[] {
  return instant(beginnings[payload.text('cause')] ?? 'Since', payload.number('startedAt'))
}

function circumstances(payload: Payload): readonly Fact[] {
  const reason = payload.text('reason', 900)
  const tags = payload.list('tags').filter((tag) => typeof tag === 'string')
  return [
    ...(reason === '' ? [] : [{ name: 'Reason', value: reason }]),
    ...(tags.length === 0 ? [] : [{ name: 'Tags', value: cut(oneLine(tags.join(', ')), 300) }]),
  ]
}
