import { maxNamed, nameFirst, nearest } from "../../../Domain/Text/Nearest.ts"
import type { Heading } from "../Reading/Outline.ts"

export type HeadingMatch =
  | { readonly heading: Heading }
  | { readonly field: "heading" | "occurrence"; readonly message: string }

export const matchHeading = (
  headings: ReadonlyArray<Heading>,
  wanted: string,
  occurrence: number | undefined
): HeadingMatch => {
  const found = candidates(headings, wanted)
  const [first, ...others] = found
  if (first === undefined) return { field: "heading", message: noHeadingMessage(headings, wanted) }
  if (occurrence === undefined) {
    if (others.length === 0) return { heading: first }
    const list = listHeadings(headings, found)
    return {
      field: "heading",
      message: `${found.length} headings match "${wanted}"; choose one with \`occurrence\`: ${list}`
    }
  }
  const chosen = found[occurrence - 1]
  return chosen === undefined
    ? {
      field: "occurrence",
      message: `Only ${found.length} of the headings match "${wanted}": ${listHeadings(headings, found)}`
    }
    : { heading: chosen }
}

const candidates = (headings: ReadonlyArray<Heading>, wanted: string): ReadonlyArray<Heading> => {
  const id = wanted.trim().replace(/^#(?:heading=)?/, "")
  const text = normalizeSpaces(wanted)
  return [
    headings.filter(({ headingId }) => headingId === id),
    headings.filter((heading) => normalizeSpaces(heading.text) === text),
    headings.filter((heading) => comparable(heading.text) === comparable(wanted)),
    headings.filter((heading) => comparable(onOneLine(heading.text)) === comparable(onOneLine(wanted)))
  ].find((found) => found.length > 0) ?? []
}

/** Superscripts and subscripts have marks around them in the text that is read, and none in the document. */
const onOneLine = (text: string): string => text.replace(/[\^_]\(([^()]*)\)|<\/?su[bp]>/g, "$1")

const normalizeSpaces = (text: string): string => text.normalize("NFC").trim().replace(/\s+/g, " ")

const comparable = (text: string): string => normalizeSpaces(text).toLowerCase()

const noHeadingMessage = (headings: ReadonlyArray<Heading>, wanted: string): string => {
  if (headings.length === 0) return `There is no heading "${wanted}": the tab has no headings.`
  const near = nearest(comparable(wanted), headings, ({ text }) => comparable(text), maxNamed)
  const list = nameFirst(near.map(describe), headings.length, "; ")
  return `There is no heading "${wanted}". The nearest are: ${list}`
}

const describe = ({ level, start, style, text }: Heading): string =>
  `"${text}" (${style ?? `level ${level}`}, at ${start})`

const listHeadings = (headings: ReadonlyArray<Heading>, found: ReadonlyArray<Heading>): string => {
  const named = found.slice(0, maxNamed).map((heading, index) => {
    const under = parentOf(headings, heading)
    return `${index + 1}: ${describe(heading)}${under === undefined ? "" : ` under "${under.text}"`}`
  })
  return nameFirst(named, found.length, "; ")
}

const parentOf = (headings: ReadonlyArray<Heading>, { level, start }: Heading): Heading | undefined =>
  headings.findLast((each) => each.start < start && each.level < level)
