import { normalizeText } from "../NormalizeText.ts"

/*
 * Parsing takes more than linear time in the span delimiters of one paragraph and in the depth of quotes and lists.
 * These limits are far above what people write.
 */
const maxDelimiters = 4000
const maxNesting = 100

const delimiter = /[*_~[\]]/g
const container = />|(?:[-*+]|\d{1,9}[.)])(?=\s|$)/g
const containerPrefix = /^(?:\s*(?:>|(?:[-*+]|\d{1,9}[.)])(?=\s)))+/
const paragraphStart = /^[\s>]*(?:$|#{1,6}\s|\||(?:[-*+]|\d{1,9}[.)])\s)/
const fence = /^[\s>]*(`{3,}|~{3,})/

export const exceededParseLimit = (markdown: string): string | undefined => {
  let delimiters = 0
  let openFence: string | undefined
  for (const [index, line] of normalizeText(markdown).split("\n").entries()) {
    const [, bar] = fence.exec(line) ?? []
    if (openFence !== undefined) {
      if (bar?.startsWith(openFence) === true) openFence = undefined
      continue
    }
    if (bar !== undefined) {
      openFence = bar
      continue
    }
    if (count(containerPrefix.exec(line)?.[0] ?? "", container) > maxNesting) {
      return `Line ${index + 1} is nested deeper than ${maxNesting} levels of quotes and lists.`
    }
    delimiters = (paragraphStart.test(line) ? 0 : delimiters) + count(line, delimiter)
    if (delimiters > maxDelimiters) {
      return `The paragraph at line ${index + 1} has more than ${maxDelimiters} of the characters * _ ~ [ ]; ` +
        "blank lines would make it several."
    }
  }
  return undefined
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
