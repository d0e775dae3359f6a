import { nearestParts } from "../../Domain/Text/Nearest.ts"

/** A filter of an empty result, with the values that rows of the window have without filters. */
export interface TriedFilter {
  /** What the filter claims about a row, such as `row has channel` or `page contains`. */
  readonly claim: string
  readonly value: string
  readonly matches: (value: string) => boolean
  /** Most frequent first. */
  readonly values: ReadonlyArray<string>
  /** False if the window has more values. */
  readonly isComplete: boolean
  /** Shows the most frequent values, because codes that look alike are not related. */
  readonly isCode?: boolean
}

const maxShown = 5

/** The most values that are compared with the filter's, because that takes time. */
const maxCompared = 500

export const filterNotes = (filters: ReadonlyArray<TriedFilter>): ReadonlyArray<string> => {
  if (filters.length === 0) return []
  if (filters.every(({ values }) => values.length === 0)) return ["Without the filters there are none either."]
  const unmatched = filters.filter(({ matches, values }) => !values.some(matches))
  if (unmatched.length > 0) return unmatched.map(unmatchedNote)
  return filters.length === 1 ? [] : ["Each filter alone has rows, but not all together."]
}

const unmatchedNote = ({ claim, isCode = false, isComplete, value, values }: TriedFilter): string => {
  const shown = isCode
    ? values.slice(0, maxShown)
    : nearestParts(value, values.slice(0, maxCompared), maxShown)
  const subject = isComplete ? "No" : `Among the ${values.length} most frequent ones no`
  const relation = shown.length === values.length
    ? `there ${shown.length === 1 ? "is" : "are"} only`
    : isCode
    ? "the most frequent are"
    : "the nearest are"
  return `${subject} ${claim} ${quote(value)}; ${relation} ${shown.map(quote).join(", ")}.`
}

const maxQuoted = 100

const quote = (text: string): string =>
  `\`${text.length > maxQuoted ? `${text.slice(0, maxQuoted).toWellFormed()}…` : text}\``

export const includesText = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase())

export const equalsText = (text: string, other: string): boolean => text.toLowerCase() === other.toLowerCase()
