import { Option } from "effect"
import { RE2JS } from "re2js"

/** https://support.google.com/webmasters/answer/7576553 */
const maxPatternLength = 4096

/** The time of a search is proportional to the length of the text times the size of the program. */
const maxProgramSize = 1000

const re2 = (pattern: string, flags: "" | "i" = ""): Option.Option<RE2JS> =>
  pattern.length > maxPatternLength || totalRepetitions(pattern) > maxProgramSize
    ? Option.none()
    : Option.filter(
      compile(pattern, flags === "i" ? RE2JS.CASE_INSENSITIVE : 0),
      (compiled) => compiled.programSize() <= maxProgramSize
    )

const compile = Option.liftThrowable((pattern: string, flags: number) => RE2JS.compile(pattern, flags))

const totalRepetitions = (pattern: string): number =>
  [...pattern.matchAll(/\{(?:\d+,)?(\d+)\}/g)].reduce((total, [, count]) => total + Number(count), 0)

export const re2Test = (pattern: string, flags: "" | "i" = ""): Option.Option<(text: string) => boolean> =>
  Option.map(re2(pattern, flags), (compiled) => {
    const known = new Map<string, boolean>()
    return (text) => {
      const before = known.get(text)
      if (before !== undefined) return before
      const matches = compiled.test(text)
      known.set(text, matches)
      return matches
    }
  })
