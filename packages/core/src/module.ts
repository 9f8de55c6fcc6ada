/**
 * What a module of your own is made of, beside the main entry: statements whose text is written once,
 * dialects, checked input, rows read with care, and the shape of a schema that the installer takes.
 */

export { instant, perDialect } from './port/dialect.ts'
export { describe, duration, instantOrNull, LONGEST_MS, plainText, wholeNumber } from './port/input.ts'
export { integer, integerOrNull, text, textOrNull, truth } from './port/row.ts'
export type { Migration, ModuleSchema, TableNames } from './port/schema.ts'
export { slot, statement, type Template, template } from './port/sql.ts'
