import type { Draft } from './draft.ts'

/** Events on their way, as NDJSON, with the place each was read at. */
export interface Batch {
  readonly lines: readonly string[]
  readonly places: readonly string[]
}

export interface Batcher {
  /** Gives a batch when this event filled one. */
  add(draft: Draft, place: string): Batch | undefined
  /** What has gathered; undefined when nothing has. */
  take(): Batch | undefined
}

const MOST_EVENTS = 500
const MOST_CHARACTERS = 262_144

/** Gathers events to batches of a bounded size. */
export function createBatcher(): Batcher {
  let lines: string[] = []
  let places: string[] = []
  let characters = 0
  const take = () => {
    if (lines.length === 0) return undefined
    const batch = { lines, places }
    lines = []
    places = []
    characters = 0
    return batch
  }
  return {
    add(draft, place) {
      const line = JSON.stringify(draft)
      // An event of its own size goes alone behind what has gathered.
      const full = characters + line.length > MOST_CHARACTERS ? take() : undefined
      lines.push(line)
      places.push(place)
      characters += line.length
      return full ?? (lines.length >= MOST_EVENTS ? take() : undefined)
    },
    take,
  }
}

/** Two halves of a batch that was too large as a whole. */
export function halves({ lines, places }: Batch): readonly [Batch, Batch] {
  const middle = lines.length >> 1
  return [
    { lines: lines.slice(0, middle), places: places.slice(0, middle) },
    { lines: lines.slice(middle), places: places.slice(middle) },
  ]
}
