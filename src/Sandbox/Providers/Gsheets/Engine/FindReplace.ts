import { Option, Result } from "effect"
import type { RE2JS } from "re2js"
import { re2 } from "../../../Data/Re2.ts"
import type { GoogleError } from "../../Google/GoogleError.ts"
import { refuse } from "./Errors.ts"

export interface Replaced {
  readonly text: string
  readonly count: number
}

export type Replace = (text: string) => Replaced | undefined

interface FindReplace {
  readonly find?: string
  readonly replacement?: string
  readonly matchCase?: boolean
  readonly matchEntireCell?: boolean
  readonly searchByRegex?: boolean
}

export const makeReplace = (request: FindReplace): Result.Result<Replace, GoogleError> => {
  const { find = "", matchCase = false, matchEntireCell = false, replacement = "", searchByRegex = false } = request
  if (find === "") return refuse("A find value must be specified.")
  if (!searchByRegex) return Result.succeed(literalReplace(find, replacement, { matchCase, matchEntireCell }))
  return Option.match(re2(matchEntireCell ? `^(?:${find})$` : find, matchCase ? "" : "i"), {
    onNone: () => refuse(`The regular expression is not valid: ${find}`),
    onSome: (pattern) => Result.succeed(patternReplace(pattern, replacement))
  })
}

/** Finding one match takes linear time, but not finding all: `a*?b|a` reads the whole text for each match. */
const maxMillis = 75

const maxSteps = 5_000_000

const patternReplace = (pattern: RE2JS, replacement: string): Replace => {
  let millisLeft = maxMillis
  return (text) => {
    if (text.length * pattern.programSize() > maxSteps) return undefined
    const began = performance.now()
    const matcher = pattern.matcher(text)
    let count = 0
    while (matcher.find()) {
      count++
      if (performance.now() - began > millisLeft) return undefined
    }
    millisLeft -= performance.now() - began
    return { count, text: count === 0 ? text : pattern.matcher(text).replaceAll(replacement) }
  }
}

const literalReplace = (
  find: string,
  replacement: string,
  { matchCase, matchEntireCell }: { readonly matchCase: boolean; readonly matchEntireCell: boolean }
): Replace => {
  const fold = matchCase ? (text: string) => text : foldCase
  const wanted = fold(find)
  if (matchEntireCell) {
    return (text) => fold(text) === wanted ? { count: 1, text: replacement } : { count: 0, text }
  }
  const positionsIn = searchFor(wanted)
  return (text) => {
    const parts: Array<string> = []
    let end = 0
    for (const position of positionsIn(fold(text))) {
      parts.push(text.slice(end, position))
      end = position + find.length
    }
    return { count: parts.length, text: [...parts, text.slice(end)].join(replacement) }
  }
}

const foldCase = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length
    ? lower
    : Array.from(text, (character) => {
      const folded = character.toLowerCase()
      return folded.length === character.length ? folded : character
    }).join("")
}

/** Positions of matches without overlaps. The algorithm of Knuth, Morris and Pratt: linear. */
const searchFor = (wanted: string) => {
  const borders = new Uint32Array(wanted.length)
  const advance = (matched: number, unit: number): number => {
    let length = matched
    while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
    return wanted.charCodeAt(length) === unit ? length + 1 : 0
  }
  for (let at = 1; at < wanted.length; at++) borders[at] = advance(borders[at - 1] ?? 0, wanted.charCodeAt(at))
  return (text: string): ReadonlyArray<number> => {
    const positions: Array<number> = []
    let matched = 0
    for (let at = 0; at < text.length; at++) {
      matched = advance(matched, text.charCodeAt(at))
      if (matched === wanted.length) {
        positions.push(at + 1 - matched)
        matched = 0
      }
    }
    return positions
  }
}
