import type { Heading } from "../Read/Outline.ts"

export type Match =
  | { readonly heading: Heading }
  | { readonly field: "heading" | "occurrence"; readonly message: string }

const nearest = 5
const mostListed = 20

/** A heading by its id, or by its text: as it is but for spaces, and only then in any case. */
export const matchHeading = (
  headings: ReadonlyArray<Heading>,
  wanted: string,
  occurrence: number | undefined
): Match => {
  const found = candidates(headings, wanted)
  const [first, ...others] = found
  if (first === undefined) return { field: "heading", message: noHeading(headings, wanted) }
  if (occurrence === undefined) {
    if (others.length === 0) return { heading: first }
    const list = listed(headings, found)
    return {
      field: "heading",
      message: `${found.length} headings match "${wanted}"; choose one with \`occurrence\`: ${list}`
    }
  }
  const chosen = found[occurrence - 1]
  return chosen === undefined
    ? {
      field: "occurrence",
      message: `Only ${found.length} of the headings match "${wanted}": ${listed(headings, found)}`
    }
    : { heading: chosen }
}

const candidates = (headings: ReadonlyArray<Heading>, wanted: string): ReadonlyArray<Heading> => {
  const id = wanted.trim().replace(/^#(?:heading=)?/, "")
  const text = spaced(wanted)
  return [
    headings.filter(({ headingId }) => headingId === id),
    headings.filter((heading) => spaced(heading.text) === text),
    headings.filter((heading) => folded(heading.text) === folded(wanted))
  ].find((found) => found.length > 0) ?? []
}

const spaced = (text: string): string => text.normalize("NFC").trim().replace(/\s+/g, " ")

const folded = (text: string): string => spaced(text).toLowerCase()

const noHeading = (headings: ReadonlyArray<Heading>, wanted: string): string => {
  if (headings.length === 0) return `There is no heading "${wanted}": the tab has no headings.`
  const closest = headings.map((heading) => ({ heading, far: distance(folded(heading.text), folded(wanted)) }))
    .toSorted((left, right) => left.far - right.far)
    .slice(0, nearest)
    .map(({ heading }) => described(heading))
  return `There is no heading "${wanted}". The nearest are: ${closest.join("; ")}`
}

const described = ({ level, start, style, text }: Heading): string =>
  `"${text}" (${style ?? `level ${level}`}, at ${start})`

const listed = (headings: ReadonlyArray<Heading>, found: ReadonlyArray<Heading>): string => {
  const list = found.slice(0, mostListed).map((heading, index) => {
    const under = parentOf(headings, heading)
    return `${index + 1}: ${described(heading)}${under === undefined ? "" : ` under "${under.text}"`}`
  }).join("; ")
  return found.length > mostListed ? `${list}; and ${found.length - mostListed} more` : list
}

/** The heading in whose section a heading stands. */
const parentOf = (headings: ReadonlyArray<Heading>, { level, start }: Heading): Heading | undefined =>
  headings.findLast((each) => each.start < start && each.level < level)

/** How many single-character edits lie between two texts, of which the beginnings count. */
const distance = (left: string, right: string): number => {
  const [from, to] = [left.slice(0, 100), right.slice(0, 100)]
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1]
    for (const [column, other] of [...to].entries()) {
      const cost = letter === other ? 0 : 1
      next.push(Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + cost))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
