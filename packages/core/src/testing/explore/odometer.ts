/**
 * Turns choices into every sequence of choices, like the counter of a car: the last place counts up;
 * when it has been through all it falls back and the one before it moves. The number of choices in a
 * place may depend on those made in front of it.
 */
export interface Odometer {
  /** Picks in the next place, out of `count`. */
  pick(count: number): number
  /** Moves on to the next sequence; false when all have been seen. */
  next(): boolean
}

/**
 * @param mayDiffer What to do when a place has another number of choices than before, after the same
 * picks: go on from there with the new number (where a server takes part in the decisions), or throw.
 */
export function createOdometer({ mayDiffer = false } = {}): Odometer {
  const places: { picked: number; count: number }[] = []
  let at = 0
  return {
    pick(count) {
      const place = places[at]
      if (place !== undefined && place.count !== count) {
        if (!mayDiffer) throw notTheSame(at, place.count, count)
        places.length = at
      }
      if (at === places.length) places.push({ picked: 0, count })
      return places[at++]!.picked
    },
    next() {
      if (at < places.length) {
        if (!mayDiffer) throw notTheSame(at, places[at]!.count, 0)
        places.length = at
      }
      at = 0
      while (places.length > 0) {
        const last = places.at(-1)!
        if (++last.picked < last.count) return true
        places.pop()
      }
      return false
    },
  }
}

/** So many sequences of drawn choices, in the place of all. */
export function drawnOrders(random: () => number, count: number): Odometer {
  let left = count
  return {
    pick: (choices) => Math.floor(random() * choices),
    next: () => --left > 0,
  }
}

function notTheSame(place: number, before: number, now: number): Error {
  return new Error(
    `step ${place + 1} had ${before} choices and now has ${now} after the same steps: the actors do not do the same each time; take clocks and random numbers out of them`,
  )
}
