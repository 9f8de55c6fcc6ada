import type { Command } from 'commander'
import type { Session } from '../session.ts'
export function defineIngest(_command: Command, _session: Session): void {}
