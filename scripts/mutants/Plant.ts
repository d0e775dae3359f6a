import { hash } from "node:crypto"
import { findMutants, type Mutant } from "./Mutants.ts"

/** Found again in another version of the file by what it changes in which line, and how many equal ones are before it. */
export interface Place extends Mutant {
  readonly file: string
  readonly line: number
  readonly what: string
  readonly within: string
  readonly nth: number
}

export interface Planted extends Place {
  readonly id: number
}

const short = (text: string) => text.replace(/\s+/g, " ").slice(0, 100)

export const findPlaces = (file: string, source: string): ReadonlyArray<Place> => {
  const times = new Map<string, number>()
  const lines = source.split("\n")
  return findMutants(file, source).map((mutant) => {
    const original = short(source.slice(mutant.start, mutant.end))
    const what = mutant.kind === "body"
      ? `return before ${short(source.slice(mutant.end, mutant.end + 100))}`
      : `${original} -> ${short(mutant.mutated) || "nothing"}`
    const line = source.slice(0, mutant.start).split("\n").length
    const within = short((lines[line - 1] ?? "").trim())
    const name = JSON.stringify([mutant.kind, what, within])
    const nth = times.get(name) ?? 0
    times.set(name, nth + 1)
    return { ...mutant, file, line, what, within, nth }
  })
}

const overlaps = (a: Place, b: Place) => a.file === b.file && a.start <= b.end && b.start <= a.end

/** As many of each kind, in a random order. No two overlap. */
export const sample = (places: ReadonlyArray<Place>, count: number, seed: string): ReadonlyArray<Place> => {
  const rank = ({ file, nth, what, within }: Place) => hash("sha1", `${seed} ${file} ${what} ${within} ${nth}`)
  const ranked = places.map((place) => ({ place, rank: rank(place) })).toSorted((a, b) => a.rank < b.rank ? -1 : 1)
  const kinds = [...Map.groupBy(ranked, ({ place }) => place.kind).values()]
  const chosen: Array<Place> = []
  while (chosen.length < count && kinds.some((kind) => kind.length > 0)) {
    for (const kind of kinds) {
      const next = kind.findIndex(({ place }) => !chosen.some((other) => overlaps(place, other)))
      const [taken] = next < 0 ? [] : kind.splice(0, next + 1).slice(-1)
      if (next < 0) kind.length = 0
      if (taken !== undefined && chosen.length < count) chosen.push(taken.place)
    }
  }
  return chosen
}

const replacement = ({ id, kind, mutated }: Planted, original: string) => {
  if (kind === "body") return `if ($m(${id})) return;`
  if (kind === "statement") return `{ if (!$m(${id})) { ${original} } }`
  return `($m(${id}) ? (${mutated}) : (${original}))`
}

/** The source with all mutants in it, each of which does nothing until it is the active one. */
export const plant = (source: string, mutants: ReadonlyArray<Planted>, runtime: string): string => {
  let planted = source
  for (const mutant of mutants.toSorted((a, b) => b.start - a.start)) {
    const { end, start } = mutant
    planted = planted.slice(0, start) + replacement(mutant, source.slice(start, end)) + planted.slice(end)
  }
  return `import { isActive as $m } from "${runtime}"; ${planted}`
}
