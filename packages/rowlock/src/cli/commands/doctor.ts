import type { Command } from 'commander'
import type { Session } from '../session.ts'
export function defineDoctor(_command: Command, _session: Session): void {}
