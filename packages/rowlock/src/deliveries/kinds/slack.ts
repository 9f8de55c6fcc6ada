import { storyOf } from '../story/index.ts'
import type { Fact, ToldStory } from '../story/types.ts'
import { escapeWithin, timeInUtc } from '../story/words.ts'
import type { Kind } from './kind.ts'
import { jsonPost, secretUrl } from './parts.ts'

/** An incoming webhook of Slack, or of a chat that understands Slack's messages. */
export const slack: Kind = {
  prefix: 'slack',
  fields: ['url'],
  tellsSecret: false,
  read: secretUrl,
  async carry(notice, { secret }, surroundings) {
    return { post: jsonPost(secret, slackMessage(storyOf(notice, surroundings))) }
  },
}

/**
 * Blocks for Slack, and the same as one text for notifications and other chats. `verbatim` keeps names of channels and people
 * in somebody's message from becoming mentions.
 */
export function slackMessage({ title, mood, facts, link }: ToldStory) {
  const head = `${marks[mood]} *${escapeWithin(title, 1_000, escapeSlack)}*`
  const lines = facts.map((fact) => `*${escapeSlack(fact.name)}:* ${shownValue(fact)}`)
  const open = link === null ? [] : [`<${escapeSlack(link)}|Open in Rowlock>`]
  return {
    text: [head, ...lines, ...open].join('\n'),
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [head, lines.join('\n'), ...open].filter((text) => text !== '').map(section),
  }
}

const marks = { bad: ':red_circle:', good: ':large_green_circle:', neutral: ':large_blue_circle:' } as const

function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }
}

function shownValue({ value }: Fact): string {
  if (typeof value === 'string') return escapeWithin(value, 1_000, escapeSlack)
  return `<!date^${Math.floor(value.at / 1000)}^{date_short_pretty} {time}|${timeInUtc(value.at)}>`
}

/** Slack's three characters: without them there is no mention, no link and no command. */
export function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
