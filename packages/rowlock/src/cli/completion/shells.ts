import { bash } from './bash.ts'
import { fish } from './fish.ts'
import type { CommandNode } from './tree.ts'
import { zsh } from './zsh.ts'

/** Writes a shell's completion script. */
export type Write = (tree: CommandNode) => string

export const shells: Readonly<Record<'bash' | 'zsh' | 'fish', Write>> = { bash, zsh, fish }
