import { sampleOf } from './sample.ts'
import type { IssueItem } from './statements/count.ts'
import { RING, type SampleItem } from './statements/samples.ts'
import type { EventItem } from './statements/see.ts'
import type { ReadEvent } from './types.ts'

/** A group of events as the statements take it: JSON texts, each in one parameter whatever their number. */
export interface Parameters {
  readonly events: string
  readonly issues: string
  /** Null: none. */
  readonly samples: string | null
  readonly issueIds: readonly string[]
  /** Issues by the length of their window in ms. */
  readonly windows: ReadonlyMap<number, readonly string[]>
}

export function eventsParameter(events: readonly ReadEvent[]): string {
  return JSON.stringify(events.map(eventItem))
}

/** @param sampled which issues get samples. */
export function parameters(events: readonly ReadEvent[], sampled: (issue: string) => boolean): Parameters {
  const byIssue = groupBy(events, ({ issue }) => issue)
  const firsts = [...byIssue.values()].map((list) => list[0] as ReadEvent)
  const samples = [...byIssue].flatMap(([issue, list]) => (sampled(issue) ? sampleItems(list) : []))
  const windows = groupBy(firsts, ({ windowMs }) => windowMs)
  return {
    events: eventsParameter(events),
    issues: JSON.stringify(firsts.map(issueItem)),
    samples: samples.length === 0 ? null : JSON.stringify(samples),
    issueIds: [...byIssue.keys()],
    windows: new Map([...windows].map(([ttl, list]) => [ttl, list.map(({ issue }) => issue)])),
  }
}

/** Of one issue's events: the last ones, and the first, should the issue be new. */
function sampleItems(events: readonly ReadEvent[]): readonly SampleItem[] {
  const items: SampleItem[] = []
  events.forEach((event, index) => {
    const back = events.length - index
    if (index > 0 && back > RING) return
    items.push({ p: event.project, e: event.eventId, d: sampleOf(event.raw), n: index + 1, b: back })
  })
  return items
}

function eventItem({ project, eventId, issue, at }: ReadEvent): EventItem {
  return { p: project, e: eventId, i: issue, a: at }
}

function issueItem(event: ReadEvent): IssueItem {
  const { project, issue: id, fingerprint: key, fingerprintVersion: version, source, level, title } = event
  return { id, project, key, version, source, level, title }
}

function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}
