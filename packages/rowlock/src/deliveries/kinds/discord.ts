import { storyOf } from '../story/index.ts'
import type { Fact, ToldStory } from '../story/types.ts'
import { escapeWithin } from '../story/words.ts'
import type { Kind } from './kind.ts'
import { jsonPost, secretUrl } from './parts.ts'

/** A webhook of a Discord channel. */
export const discord: Kind = {
  prefix: 'discord',
  fields: ['url'],
  tellsSecret: false,
  read: secretUrl,
  async carry(notice, { secret }, surroundings) {
    return { post: jsonPost(secret, discordMessage(storyOf(notice, surroundings))) }
  },
}

const colours = { bad: 0xd64545, good: 0x3f9142, neutral: 0x4a6fa5 } as const

/** One embed. Nobody is mentioned, whatever stands in it. */
export function discordMessage({ title, mood, facts, link }: ToldStory) {
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: escapeWithin(title, 256, escapeDiscord),
        color: colours[mood],
        ...(link === null ? {} : { url: link }),
        fields: facts.map((fact) => ({
          name: escapeWithin(fact.name, 256, escapeDiscord),
          value: shownValue(fact),
          inline: isShort(fact),
        })),
      },
    ],
  }
}

function shownValue({ value }: Fact): string {
  if (typeof value === 'string') return escapeWithin(value, 1_024, escapeDiscord) || '-'
  const seconds = Math.floor(value.at / 1000)
  return `<t:${seconds}:f> (<t:${seconds}:R>)`
}

function isShort({ value }: Fact): boolean {
  return typeof value !== 'string' || value.length <= 40
}

/** Takes every sign out of effect that Discord reads as markup, a mention or a masked link. */
export function escapeDiscord(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#:@-]/g, '\\$&')
}
