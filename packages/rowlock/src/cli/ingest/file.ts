import { hash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, extname } from 'node:path'
import type { Readable } from 'node:stream'
import type { Session } from '../session.ts'

/** Something to read lines from. */
export interface LogFile {
  /** As it is shown with its events. */
  readonly name: string
  /** The source of lines that name none: the file's name without its ending. */
  readonly source: string
  /**
   * Names the file in the ids of its events, whatever it is called: machine, inode and first line. A log
   * that was renamed by rotation is still the same file, and a new one under the old name is not.
   */
  readonly identity: string
  /** Bytes; undefined for a pipe. */
  readonly size: number | undefined
  open(): Readable
}

const CHUNK_BYTES = 262_144
const FIRST_LINE_BYTES = 1_024

/** Opens a file, or standard input for `-`. @throws the file system's error. */
export async function openLog(path: string, session: Session): Promise<LogFile> {
  if (path === '-') return pipe('stdin', () => session.in)
  const stats = await stat(path, { bigint: true })
  if (stats.isDirectory()) throw Object.assign(new Error('EISDIR'), { code: 'EISDIR', path })
  if (!stats.isFile()) return pipe(basename(path), () => createReadStream(path))
  return {
    name: basename(path),
    source: basename(path, extname(path)),
    identity: hash('sha256', `${hostname()}\n${stats.ino}\n${await firstLine(path)}`),
    size: Number(stats.size),
    open: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }),
  }
}

/** A pipe can't be read twice, so its events have no ids that would come again. */
function pipe(name: string, open: () => Readable): LogFile {
  return { name, source: name, identity: randomUUID(), size: undefined, open }
}

async function firstLine(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE_BYTES), 0, FIRST_LINE_BYTES, 0)
    const text = buffer.toString('latin1', 0, bytesRead)
    const end = text.indexOf('\n')
    return end === -1 ? text : text.slice(0, end)
  } finally {
    await file.close()
  }
}
