import type { Tree } from './tree.ts'

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** One rule of the house, with the examples that prove that it can tell right from wrong. */
export interface Rule {
  readonly name: string
  /** Why the rule exists. */
  readonly reason: string
  /** The paths that it looks at. */
  readonly files: RegExp
  /** Paths that may break it, each with the reason why. */
  readonly except?: Readonly<Record<string, string>>
  /** What is wrong with a file; nothing when all is well. */
  check(file: SourceFile, tree: Tree): Iterable<string>
  /** Small trees, path to text, in each of which the rule must find something. */
  readonly bad: readonly Readonly<Record<string, string>>[]
  /** Small trees that the rule must leave alone. */
  readonly good: readonly Readonly<Record<string, string>>[]
}

/** What a rule says about a whole tree, one line each. */
export function problems(rule: Rule, tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => {
    if (!rule.files.test(path) || rule.except?.[path] !== undefined) return []
    return [...rule.check({ path, text }, tree)].map((problem) => `${path}: ${problem}`)
  })
}

/** Exceptions that nothing needs any more. */
export function staleExceptions(rule: Rule, tree: Tree): string[] {
  return Object.keys(rule.except ?? {}).filter((path) => {
    const text = tree.get(path)
    return text === undefined || [...rule.check({ path, text }, tree)].length === 0
  })
}
