import { Order } from "effect"
import { minOf } from "../Lists.ts"

export const nearest = <A>(
  wanted: string,
  candidates: ReadonlyArray<A>,
  textOf: (candidate: A) => string,
  count: number
): ReadonlyArray<A> => closest(candidates, (candidate) => distance(wanted, textOf(candidate), false), count)

/** The texts with the part that is closest to `wanted`, so that "organic" finds "Organic Search". */
export const nearestParts = (wanted: string, texts: ReadonlyArray<string>, count: number): ReadonlyArray<string> =>
  closest(texts, (text) => distance(wanted, text, true), count)

const closest = <A>(candidates: ReadonlyArray<A>, distanceTo: (candidate: A) => number, count: number) =>
  candidates
    .map((candidate) => ({ candidate, far: distanceTo(candidate) }))
    .toSorted(Order.mapInput(Order.Number, ({ far }) => far))
    .slice(0, count)
    .map(({ candidate }) => candidate)

/** In characters. The comparison takes quadratic time. */
const maxCompared = 100

const comparedLetters = (text: string): ReadonlyArray<string> => Array.from(text.toLowerCase().slice(0, maxCompared))

const distance = (wanted: string, text: string, isPart: boolean): number => {
  const [from, to] = [comparedLetters(wanted), comparedLetters(text)]
  let row = Array.from({ length: to.length + 1 }, (_, index) => isPart ? 0 : index)
  for (const [at, letter] of from.entries()) {
    const next = [at + 1]
    for (const [column, other] of to.entries()) {
      const cost = letter === other ? 0 : 1
      next.push(Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + cost))
    }
    row = next
  }
  return isPart ? minOf(row) : row.at(-1) ?? 0
}
