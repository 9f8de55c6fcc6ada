import type { Dialect } from '../../port/dialect.ts'
import type { TableNames } from '../../port/schema.ts'
import { identifier, type Sql, type Template } from '../../port/sql.ts'
import { downAlerts, massAlerts, upAlerts } from './alerts.ts'
import { beat } from './beat.ts'
import { beatMany } from './beat-many.ts'
import { blind, checker, due, dueCount, tick, upCount, wake } from './checker.ts'
import { closeByBeat, closeOne, closeReturned, closeStray } from './close.ts'
import { decide, unmute } from './decide.ts'
import { failing, fallOne, openFailed } from './fail.ts'
import { fall } from './fall.ts'
import { look } from './look.ts'
import { open, openAlready } from './open.ts'
import { blindPause, pause, remove, resume } from './pause.ts'
import { record, recorded } from './record.ts'
import { change, register } from './register.ts'
import { repairDown, repairUp } from './repair.ts'
import { returned, rise } from './returned.ts'
import { revive } from './revive.ts'
import { sweepBlind, sweepChecks, sweepDowntimes, sweepSubjects } from './sweep.ts'
import { takeBack, takeBackAll, told, toldEnd, toldMass } from './told.ts'

const written = {
  beat,
  beatMany,
  blind,
  blindPause,
  change,
  checker,
  closeByBeat,
  closeOne,
  closeReturned,
  closeStray,
  decide,
  downAlerts,
  due,
  dueCount,
  failing,
  fall,
  fallOne,
  look,
  massAlerts,
  open,
  openAlready,
  openFailed,
  pause,
  record,
  recorded,
  register,
  remove,
  repairDown,
  repairUp,
  resume,
  returned,
  revive,
  rise,
  sweepBlind,
  sweepChecks,
  sweepDowntimes,
  sweepSubjects,
  takeBack,
  takeBackAll,
  tick,
  told,
  toldEnd,
  toldMass,
  unmute,
  upAlerts,
  upCount,
  wake,
}

/** The texts of all statements for one dialect and one prefix. */
export type Templates = Readonly<Record<keyof typeof written, Template>>

const kept = new WeakMap<Dialect, Map<string, Templates>>()

/** Written once for each dialect and prefix, however often a module is made (on Workers: per request). */
export function templates(dialect: Dialect, prefix: string): Templates {
  const ofDialect = kept.get(dialect) ?? new Map<string, Templates>()
  kept.set(dialect, ofDialect)
  const ready = ofDialect.get(prefix) ?? write(dialect, tableNames(prefix))
  ofDialect.set(prefix, ready)
  return ready
}

/** The statements that depend on who is told, for a sub-select of the caller's. */
export function withRules(dialect: Dialect, prefix: string, rules: Sql): Templates {
  const tables = tableNames(prefix)
  const own = { downAlerts, massAlerts, told, toldMass }
  const entries = Object.entries(own).map(([name, statement]) => [name, statement(dialect, tables, rules)])
  return { ...templates(dialect, prefix), ...Object.fromEntries(entries) }
}

function write(dialect: Dialect, tables: TableNames): Templates {
  const entries = Object.entries(written).map(([name, statement]) => [name, statement(dialect, tables)])
  return Object.fromEntries(entries) as Templates
}

export function tableNames(prefix: string): TableNames {
  return (table) => identifier(prefix + table)
}
