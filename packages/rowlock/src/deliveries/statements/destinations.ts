import { type Dialect, identifier, type Sql, sql } from '@rowlock/core'
import { instant, slot, template } from '@rowlock/core/module'

const destinations = identifier('rowlock_destinations')
const settings = identifier('rowlock_destination_settings')

export function destinationStatements(dialect: Dialect) {
  const named = (name: string, piece: Sql) => template(dialect, `destinations.${name}`, piece)
  const now = instant(dialect, slot('now'))
  const given = (name: string) => sql`cast(${slot(name)} as text)`
  const alive = sql`id = ${slot('id')} and removed_at is null`
  return {
    /** No row: there is no such project. */
    add: named(
      'add',
      sql`insert into ${destinations} (id, project, kind, url, secret, created_at)
        select ${slot('id')}, p.id, ${slot('kind')}, ${slot('url')}, ${slot('secret')}, ${now}
        from ${identifier('rowlock_projects')} p where p.id = cast(${slot('project')} as bigint)
        returning id`,
    ),
    /** No row: the address or secret is no longer what was read, or the destination is removed. */
    setAddress: named(
      'setAddress',
      sql`update ${destinations} set url = ${slot('url')}, secret = ${slot('secret')}
        where ${alive} and url = ${slot('urlBefore')} and secret = ${slot('secretBefore')} returning id`,
    ),
    /** No row: the settings are no longer what was read, or there is no such destination. */
    setSettings: named(
      'setSettings',
      sql`insert into ${settings} (destination, name, about, tags, settings)
        select id, ${given('name')}, ${given('about')}, ${given('tags')}, ${given('settings')}
        from ${destinations} where ${alive}
        on conflict (destination) do update
          set name = excluded.name, about = excluded.about, tags = excluded.tags, settings = excluded.settings
          where ${dialect.same(sql`${settings}.name`, given('nameBefore'))}
            and ${dialect.same(sql`${settings}.about`, given('aboutBefore'))}
            and ${settings}.tags = ${slot('tagsBefore')} and ${settings}.settings = ${slot('settingsBefore')}
        returning destination`,
    ),
    enable: named(
      'enable',
      sql`update ${destinations} set enabled = 1, disabled_reason = null where ${alive} returning id`,
    ),
    disable: named(
      'disable',
      sql`update ${destinations} set enabled = 0, disabled_reason = ${slot('reason')} where ${alive} returning id`,
    ),
    /** The row stays: what was sent there still names it. Its secret goes. */
    remove: named(
      'remove',
      sql`update ${destinations} set enabled = 0, secret = '', removed_at = ${now} where ${alive} returning id`,
    ),
  }
}
