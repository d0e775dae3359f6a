import { Order } from "effect"
import { minOf } from "../Lists.ts"

/** Errors name at most this many candidates. */
export const maxNamed = 3

/** Texts that contain `wanted`, or are a part of it, come first. */
export const nearest = <A>(
  wanted: string,
  candidates: ReadonlyArray<A>,
  textOf: (candidate: A) => string,
  count: number
): ReadonlyArray<A> => {
  const text = wanted.toLowerCase()
  const farOf = (candidate: A, index: number) => {
    const other = textOf(candidate).toLowerCase()
    const isPart = Math.min(text.length, other.length) >= minPart && (other.includes(text) || text.includes(other))
    if (isPart) return Math.abs(other.length - text.length) - unrelated
    if (index >= maxMeasured) return unrelated
    return distance(text, other, false) / Math.max(text.length, other.length, 1)
  }
  return closest(candidates, farOf, count)
}

/** The names of candidates, the nearest first, such as `"Leads", "Stock", "Orders" and 15 more`. */
export const nameNearest = <A>(
  wanted: string,
  candidates: ReadonlyArray<A>,
  textOf: (candidate: A) => string,
  describe: (candidate: A) => string = textOf
): string => nameFirst(nearest(wanted, candidates, textOf, maxNamed).map(describe), candidates.length)

export const nameFirst = (names: ReadonlyArray<string>, total = names.length, separator = ", "): string => {
  const named = names.slice(0, maxNamed)
  const more = total - named.length
  return `${named.join(separator)}${more > 0 ? ` and ${more} more` : ""}`
}

/** The texts with the part that is closest to `wanted`, so that "organic" finds "Organic Search". */
export const nearestParts = (wanted: string, texts: ReadonlyArray<string>, count: number): ReadonlyArray<string> =>
  closest(texts, (text) => distance(wanted, text, true), count)

const closest = <A>(candidates: ReadonlyArray<A>, distanceTo: (candidate: A, index: number) => number, count: number) =>
  candidates
    .map((candidate, index) => ({ candidate, far: distanceTo(candidate, index) }))
    .toSorted(Order.mapInput(Order.Number, ({ far }) => far))
    .slice(0, count)
    .map(({ candidate }) => candidate)

/** The longest name that is compared, in characters. The comparison takes quadratic time. */
const maxCompared = 100

/** Candidates whose distance is measured: a sheet may have 18,278 columns. */
const maxMeasured = 1000

const minPart = 3

/** A number above any distance. */
const unrelated = 1_000_000

const comparedLetters = (text: string): ReadonlyArray<string> => Array.from(text.toLowerCase().slice(0, maxCompared))

const distance = (wanted: string, text: string, isPart: boolean): number => {
  const [from, to] = [comparedLetters(wanted), comparedLetters(text)]
  let row = Array.from({ length: to.length + 1 }, (_, index) => isPart ? 0 : index)
  let rowBefore: ReadonlyArray<number> = []
  for (const [at, letter] of from.entries()) {
    const next = [at + 1]
    for (const [column, other] of to.entries()) {
      const cost = letter === other ? 0 : 1
      const isSwapped = column > 0 && letter === to[column - 1] && other === from[at - 1]
      next.push(Math.min(
        (next[column] ?? 0) + 1,
        (row[column + 1] ?? 0) + 1,
        (row[column] ?? 0) + cost,
        isSwapped ? (rowBefore[column - 1] ?? 0) + 1 : Infinity
      ))
    }
    rowBefore = row
    row = next
  }
  return isPart ? minOf(row) : row.at(-1) ?? 0
}
