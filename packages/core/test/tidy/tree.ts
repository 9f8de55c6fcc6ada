import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** The repository's own text files by path, as they lie on disk or as an example writes them down. */
export type Tree = ReadonlyMap<string, string>

export const root = fileURLToPath(new URL('../../../..', import.meta.url))

const NOT_OURS = new Set(['node_modules', 'dist', 'data', '.git', '.stamps'])
const TEXT = /(^|\/)(\.[a-z]+|LICENSE|run|[^/]+\.(ts|js|mjs|json|md|ya?ml|sql|html|css|toml|sh))$/

/** Reads every file that is written by hand; what is installed, built or stored is left out. */
export function readTree(folder = root): Tree {
  const tree = new Map<string, string>()
  const walk = (place: string): void => {
    for (const entry of readdirSync(place, { withFileTypes: true })) {
      if (NOT_OURS.has(entry.name)) continue
      const path = join(place, entry.name)
      const name = relative(folder, path).split(sep).join('/')
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile() && TEXT.test(name)) tree.set(name, readFileSync(path, 'utf8'))
    }
  }
  walk(folder)
  return new Map([...tree].sort(([one], [other]) => (one < other ? -1 : 1)))
}

const parsed = new Map<string, ts.SourceFile>()

/** The syntax tree of one file. */
export function parse(path: string, text: string): ts.SourceFile {
  const known = parsed.get(path)
  if (known !== undefined && known.text === text) return known
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true)
  parsed.set(path, source)
  return source
}

/** Every node of a syntax tree. */
export function* nodes(node: ts.Node): Generator<ts.Node> {
  yield node
  for (const child of node.getChildren()) yield* nodes(child)
}

export interface Import {
  /** As it is written. */
  readonly specifier: string
  /** The path of the file, where the specifier is relative. */
  readonly path: string | undefined
  readonly typeOnly: boolean
}

/** What a file imports or exports on, types included, `import()` included. */
export function imports(path: string, text: string): Import[] {
  const found: Import[] = []
  const add = (specifier: string, typeOnly: boolean): void => {
    const relativeTo = new URL(specifier.startsWith('.') ? specifier : '.', `file:///${path}`)
    found.push({
      specifier,
      path: specifier.startsWith('.') ? decodeURI(relativeTo.pathname.slice(1)) : undefined,
      typeOnly,
    })
  }
  for (const node of nodes(parse(path, text))) {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
      add(node.moduleSpecifier.text, isTypeOnly(node))
    else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
      add(node.moduleSpecifier.text, node.isTypeOnly)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments
      if (argument !== undefined && ts.isStringLiteral(argument)) add(argument.text, false)
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      const { literal } = node.argument
      if (ts.isStringLiteral(literal)) add(literal.text, true)
    }
  }
  return found
}

function isTypeOnly({ importClause }: ts.ImportDeclaration): boolean {
  return importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
}

export interface Literal {
  /** The text, with `?` for what a template fills in. */
  readonly text: string
  /** The name of a template's tag. */
  readonly tag: string | undefined
  readonly line: number
}

/** Strings and templates. */
export function literals(path: string, text: string): Literal[] {
  const source = parse(path, text)
  const found: Literal[] = []
  for (const node of nodes(source)) {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1
    const tag = ts.isTaggedTemplateExpression(node.parent ?? node)
      ? (node.parent as ts.TaggedTemplateExpression).tag.getText(source)
      : undefined
    if (ts.isStringLiteralLike(node)) found.push({ text: node.text, tag, line })
    else if (ts.isTemplateExpression(node)) {
      const pieces = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
      found.push({ text: pieces.join('?'), tag, line })
    }
  }
  return found
}
