import ts from 'typescript'
import type { Rule } from './rule.ts'
import { literals, nodes, parse } from './tree.ts'

const SOURCE = /^packages\/(core|rowlock)\/src\/.*\.ts$/
const KNOWS_SQL = /\/src\/(port|drivers|install|testing)\/|\/statements\/|\/(schema|queries)\.ts$/
const KNOWS_DIALECT = /\/src\/(port|drivers|install|testing)\/|\/statements\/|\/schema\.ts$/

const STATEMENT =
  /^\s*(select\s[\s\S]*\bfrom\s|insert\s+(or\s+\w+\s+)?into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\S+\s+as\s*\(|(create|alter|drop)\s+(unique\s+)?(table|index|view|trigger)\s|begin\s+immediate|savepoint\s)/i

export const sqlStands: Rule = {
  name: 'where SQL stands',
  reason: 'a statement is the unit of review: it has a name, a file, and mutants of its own',
  files: SOURCE,
  except: {
    'packages/core/src/claims/on-win.ts': 'the two expressions that users write; a statement takes them in',
  },
  *check({ path, text }) {
    if (KNOWS_SQL.test(path)) return
    for (const literal of literals(path, text)) {
      if (literal.tag === 'sql' || STATEMENT.test(literal.text))
        yield `line ${literal.line} holds SQL: ${literal.text.trim().slice(0, 40)}`
    }
  },
  bad: [
    { 'packages/core/src/claims/verbs/acquire.ts': `const a = 'select key from claims'` },
    { 'packages/core/src/claims/verbs/acquire.ts': 'const a = `update $' + '{t} set a = 1`' },
    { 'packages/core/src/claims/view.ts': 'const a = sql`now()`' },
    { 'packages/rowlock/src/events/group.ts': 'const a = "INSERT INTO a (b) VALUES (1)"' },
  ],
  good: [
    { 'packages/core/src/claims/statements/acquire.ts': `const a = 'select key from claims'` },
    { 'packages/rowlock/src/events/queries.ts': 'const a = sql`count(*)`' },
    { 'packages/rowlock/src/cli/run.ts': `fail('select one of these, then update the rest') // insert into` },
  ],
}

export const dialectIf: Rule = {
  name: 'who looks at the dialect',
  reason: 'differences between engines are data beside the SQL; elsewhere it is only passed on',
  files: SOURCE,
  except: {
    'packages/rowlock/src/reading.ts':
      'chooses the query compiler: what a driver is for writing, it is for lists',
  },
  *check({ path, text }) {
    if (KNOWS_DIALECT.test(path)) return
    const source = parse(path, text)
    for (const node of nodes(source)) {
      if (looksAtDialect(node)) yield `looks at the dialect: ${node.getText(source)}`
    }
  },
  bad: [
    { 'packages/core/src/claims/verbs/a.ts': `if (driver.dialect.name === 'd1') run()` },
    { 'packages/core/src/claims/verbs/a.ts': `const { name } = driver.dialect` },
    { 'packages/core/src/claims/verbs/a.ts': `const { dialect: { name } } = driver` },
    { 'packages/core/src/claims/verbs/a.ts': `const a = dialect === sqlite` },
    { 'packages/core/src/claims/verbs/a.ts': `const a = texts[dialect.name]` },
    { 'packages/core/src/claims/verbs/a.ts': `const a = perDialect({ sqlite, postgres })` },
  ],
  good: [
    { 'packages/core/src/claims/verbs/a.ts': `const all = statements(driver.dialect, table)` },
    { 'packages/core/src/claims/verbs/a.ts': `const { dialect } = driver; all(dialect)` },
    { 'packages/core/src/claims/verbs/a.ts': `const { valueBytes } = driver.dialect.limits` },
    { 'packages/core/src/claims/statements/a.ts': `const a = texts[dialect.name]` },
  ],
}

// The engine's limits are figures that input is held against, not a difference in what is done.
function looksAtDialect(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return isDialect(node.expression) && !(ts.isPropertyAccessExpression(node) && node.name.text === 'limits')
  if (ts.isCallExpression(node)) return node.expression.getText() === 'perDialect'
  if (ts.isBinaryExpression(node)) return isDialect(node.left) || isDialect(node.right)
  if (ts.isVariableDeclaration(node))
    return (
      ts.isObjectBindingPattern(node.name) && node.initializer !== undefined && isDialect(node.initializer)
    )
  if (ts.isBindingElement(node))
    return ts.isObjectBindingPattern(node.name) && (node.propertyName ?? node.name).getText() === 'dialect'
  return false
}

function isDialect(node: ts.Node): boolean {
  if (ts.isIdentifier(node)) return node.text === 'dialect'
  return ts.isPropertyAccessExpression(node) && node.name.text === 'dialect'
}
