import type { Command } from 'commander'

/** What may be said of a device on the command line; the hub reads the values. */
export interface DeviceFlags {
  readonly project?: string
  readonly name?: string
  readonly description?: string
  readonly slug?: string
  readonly period?: string
  readonly schedule?: string
  readonly timezone?: string
  readonly grace?: string
  readonly tags?: string
  readonly parent?: string
  readonly maintenanceUntil?: string
  readonly mustAppearWithin?: string
}

export function withDeviceFields(command: Command): Command {
  return command
    .option('--name <TEXT>', 'for people')
    .option('--description <TEXT>', 'for people, too')
    .option('--slug <SLUG>', 'its place in addresses with the project’s ping key')
    .option('--period <LENGTH>', 'a beat is expected so often (5m)')
    .option('--grace <LENGTH>', 'late for longer than this is down (1m)')
    .option('--schedule <CRON>', 'in place of a period: five fields of cron')
    .option('--timezone <ZONE>', 'by whose clock the schedule goes (UTC)')
    .option('--tags <TAGS>', 'with commas between them')
    .option('--parent <ID>', 'while that one is down nobody is told of this one')
    .option('--maintenance-until <TIME>', 'nobody is told before then')
    .option('--must-appear-within <LENGTH>', 'a new one that has not beaten by then is down')
}

/** The body that asks the hub for it. An empty text takes away what may be missing. */
export function bodyOf({ project: _, tags, ...fields }: DeviceFlags): Record<string, unknown> {
  const listed = tags
    ?.split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const named = Object.entries(fields).map(([field, value]) => [field, value === '' ? null : value])
  return { ...Object.fromEntries(named), ...(listed === undefined ? {} : { tags: listed }) }
}
