import { InvalidInputError } from '@rowlock/core'
import { hashOf } from '../../identity/secrets.ts'
import { storyOf } from '../story/index.ts'
import type { Fact, ToldStory } from '../story/types.ts'
import { cut, timeInUtc } from '../story/words.ts'
import { readUrl } from '../url.ts'
import type { Kind, Notice } from './kind.ts'
import { jsonPost } from './parts.ts'

/** What resolves an incident. */
const ENDS = new Set(['subject.up', 'fleet.up'])
const EVENTS = 'https://events.pagerduty.com/v2/enqueue'

/** A service of PagerDuty, by its integration key (Events API v2). */
export const pagerduty: Kind = {
  prefix: 'pager',
  fields: ['routingKey', 'url'],
  tellsSecret: false,
  read({ routingKey, url: given }, policy, before) {
    const url = given === undefined ? (before?.url ?? EVENTS) : readUrl(given, policy)
    // A key that is kept stays with the address it was entered for.
    const keeps = routingKey === undefined && before?.url === url
    return { url, secret: keeps ? before.secret : readKey(routingKey), settings: {} }
  },
  async carry(notice, { url, secret }, surroundings) {
    const event = await pagerDutyEvent(notice, storyOf(notice, surroundings))
    return { post: jsonPost(url, { routing_key: secret, ...event }) }
  },
}

/**
 * An alert and its all-clear have one `dedup_key`: the thing they are about, so that whatever is open about it is resolved, and a
 * reminder joins the incident that is there.
 */
export async function pagerDutyEvent({ topic, createdAt }: Notice, story: ToldStory) {
  const dedup_key = await dedupKey(story.thread)
  if (ENDS.has(topic)) return { event_action: 'resolve', dedup_key }
  const { title, facts, severity, link } = story
  return {
    event_action: 'trigger',
    dedup_key,
    client: 'Rowlock',
    ...(link === null ? {} : { client_url: link, links: [{ href: link, text: 'Open in Rowlock' }] }),
    payload: {
      summary: cut(title, 1_024),
      source: 'rowlock',
      severity,
      timestamp: new Date(createdAt).toISOString(),
      custom_details: Object.fromEntries(facts.map(({ name, value }) => [name, textOf(value)])),
    },
  }
}

function textOf(value: Fact['value']): string {
  return typeof value === 'string' ? value : timeInUtc(value.at)
}

/** PagerDuty takes at most 255 characters. */
async function dedupKey(thread: string): Promise<string> {
  const key = `rowlock:${thread}`
  return key.length <= 255 ? key : `rowlock:${await hashOf(key)}`
}

function readKey(given: unknown): string {
  if (typeof given === 'string' && /^[A-Za-z0-9_-]{20,64}$/.test(given)) return given
  throw new InvalidInputError(
    'routingKey',
    'is missing or malformed',
    'the integration key of an Events API v2 integration',
  )
}
