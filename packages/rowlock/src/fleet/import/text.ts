import { InvalidInputError } from '@rowlock/core'

export const encodings = ['utf-8', 'shift_jis'] as const
export type Encoding = (typeof encodings)[number]

const BOMS: readonly (readonly [encoding: string, bytes: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/**
 * The text of an uploaded file. Where no encoding is named: as its byte order mark says, else UTF-8, and what is no
 * UTF-8 is taken as Shift_JIS, as spreadsheets in Japan write it.
 * @throws InvalidInputError for bytes that are none of them.
 */
export function textOf(bytes: Uint8Array, encoding?: string): string {
  const marked = BOMS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0]
  if (marked !== undefined) return decode(bytes, marked) ?? refuse(marked)
  if (encoding !== undefined) return decode(bytes, known(encoding)) ?? refuse(encoding)
  return decode(bytes, 'utf-8') ?? decode(bytes, 'shift_jis') ?? refuse('UTF-8 or Shift_JIS')
}

function known(encoding: string): Encoding {
  const name = encoding.toLowerCase().replaceAll('_', '-')
  if (['utf-8', 'utf8'].includes(name)) return 'utf-8'
  if (['shift-jis', 'sjis', 'x-sjis', 'windows-31j', 'cp932', 'ms932'].includes(name)) return 'shift_jis'
  throw new InvalidInputError('encoding', `is ${JSON.stringify(encoding.slice(0, 40))}`, encodings.join(', '))
}

/** Undefined where the bytes are not of this encoding, or the runtime does not know it. */
function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function refuse(encoding: string): never {
  throw new InvalidInputError('body', `is not ${encoding}`, 'a text in UTF-8 or Shift_JIS')
}
