import { InvalidInputError } from '@rowlock/core'
import { describe } from '@rowlock/core/module'
import { discord } from './discord.ts'
import { type Kind, type KindName, kindNames } from './kind.ts'
import { mail } from './mail.ts'
import { pagerduty } from './pagerduty.ts'
import { slack } from './slack.ts'
import { webhook } from './webhook.ts'

export const kinds: Readonly<Record<KindName, Kind>> = { webhook, slack, discord, mail, pagerduty }

/** @throws InvalidInputError for a name that is none. */
export function readKind(given: unknown = 'webhook'): KindName {
  const found = kindNames.find((name) => name === given)
  if (found === undefined) throw new InvalidInputError('kind', `is ${describe(given)}`, kindNames.join(', '))
  return found
}

/** @throws InvalidInputError for a field that the kind knows nothing of. */
export function refuseOtherFields(kind: KindName, given: Readonly<Record<string, unknown>>): void {
  const { fields } = kinds[kind]
  const stray = Object.keys(given).find((field) => given[field] !== undefined && !fields.includes(field))
  if (stray !== undefined) {
    throw new InvalidInputError(
      stray.slice(0, 40),
      `is no field of a destination of the kind ${kind}`,
      fields.join(', '),
    )
  }
}
