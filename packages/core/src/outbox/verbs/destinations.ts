import { integer, text, textOrNull } from '../../port/row.ts'
import { orUnknown, run } from '../../port/run.ts'
import type { Outbox, Parts } from '../outbox.ts'

export function disable({ driver, statements }: Parts): Outbox['disable'] {
  return async (destination, options = {}) => {
    const statement = statements.disable(destination, options)
    return await orUnknown(async () => ({
      ok: true,
      changed: (await run(driver, statement, options.also)).length === 1,
    }))
  }
}

export function enable({ driver, statements }: Parts): Outbox['enable'] {
  return async (destination, options = {}) => {
    const statement = statements.enable(destination)
    return await orUnknown(async () => ({
      ok: true,
      changed: (await run(driver, statement, options.also)).length === 1,
    }))
  }
}

export function disabled({ driver, texts }: Parts): Outbox['disabled'] {
  return async () =>
    (await driver.execute(texts.disabled.with({}))).map((row) => ({
      destination: text(row, 'destination'),
      disabledAt: integer(row, 'disabled_at'),
      reason: textOrNull(row, 'reason'),
    }))
}
