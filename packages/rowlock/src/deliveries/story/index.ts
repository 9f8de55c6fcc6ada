import type { Notice, Surroundings } from '../kinds/kind.ts'
import { issueWon } from './issue.ts'
import { fleetDown, fleetStillDown, fleetUp, subjectDown, subjectStillDown, subjectUp } from './outage.ts'
import { Payload } from './payload.ts'
import { testNotice } from './test.ts'
import type { Story, ToldStory } from './types.ts'
import { cut, oneLine } from './words.ts'

type Teller = (payload: Payload, notice: Notice) => Story

const tellers: Readonly<Record<string, Teller>> = {
  'issue.won': issueWon,
  'subject.down': subjectDown,
  'subject.still-down': subjectStillDown,
  'subject.up': subjectUp,
  'fleet.down': fleetDown,
  'fleet.still-down': fleetStillDown,
  'fleet.up': fleetUp,
  test: testNotice,
}

/** The story of a notice; one of a topic that is not known here is told by its topic alone. */
export function storyOf(notice: Notice, { publicUrl }: Pick<Surroundings, 'publicUrl'>): ToldStory {
  const teller = Object.hasOwn(tellers, notice.topic) ? tellers[notice.topic] : undefined
  const story = teller?.(new Payload(JSON.parse(notice.payload)), notice) ?? unknownTopic(notice)
  return { ...story, link: publicUrl === null ? null : `${publicUrl}${story.path}` }
}

function unknownTopic({ topic, dedupKey, createdAt }: Notice): Story {
  return {
    title: cut(oneLine(topic), 200),
    mood: 'neutral',
    severity: 'info',
    facts: [{ name: 'At', value: { at: createdAt } }],
    path: '/',
    thread: dedupKey,
  }
}
