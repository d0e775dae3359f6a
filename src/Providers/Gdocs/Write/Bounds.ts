import { normalizeText } from "./Text.ts"

/*
 * What the time to parse markdown grows with faster than its length: characters that could begin or end a span within one
 * paragraph, and quotes and items within each other. Text that people write stays far below.
 */
const mostMarks = 4000
const deepestNesting = 100

const mark = /[*_~[\]]/g
const container = />|(?:[-*+]|\d{1,9}[.)])(?=\s|$)/g
const prefix = /^(?:\s*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s)))+/
const ownParagraph = /^[\s>]*(?:$|#{1,6}\s|\||(?:[-*+]|\d{1,9}[.)])\s)/
const fence = /^[\s>]*(`{3,}|~{3,})/

/** Why a markdown text would take too long to parse; `undefined` where it would not. */
export const outOfBounds = (markdown: string): string | undefined => {
  let marks = 0
  let open: string | undefined
  for (const [at, line] of normalizeText(markdown).split("\n").entries()) {
    const [, bar] = fence.exec(line) ?? []
    if (open !== undefined) {
      if (bar?.startsWith(open) === true) open = undefined
      continue
    }
    if (bar !== undefined) {
      open = bar
      continue
    }
    if (count(prefix.exec(line)?.[0] ?? "", container) > deepestNesting) {
      return `Line ${at + 1} is nested deeper than ${deepestNesting} levels of quotes and lists.`
    }
    marks = (ownParagraph.test(line) ? 0 : marks) + count(line, mark)
    if (marks > mostMarks) {
      return `The paragraph at line ${
        at + 1
      } has more than ${mostMarks} of the characters * _ ~ [ ]; blank lines would make it several.`
    }
  }
  return undefined
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
