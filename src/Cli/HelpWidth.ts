import { stripVTControlCharacters } from "node:util"

const longestTermBeside = (width: number): number => Math.min(34, width / 2)
const below = " ".repeat(6)

const length = (text: string): number => stripVTControlCharacters(text).length

const wrap = (words: string, width: number): ReadonlyArray<string> =>
  words.split(" ").reduce<ReadonlyArray<string>>((lines, word) => {
    const last = lines.at(-1)
    const longer = `${last} ${word}`
    return last !== undefined && length(longer) <= width ? [...lines.slice(0, -1), longer] : [...lines, word]
  }, [])

const fitLine = (line: string, width: number): string => {
  const [, indent = "", term = "", gap = "", description] = /^( *)(\S.*?)(?:( {2,})(\S.*))?$/.exec(line) ?? []
  // A command to copy stays whole.
  if (length(line) <= width || stripVTControlCharacters(term).startsWith("oa ")) return line
  if (description === undefined) return wrap(term, width - indent.length).map((text) => indent + text).join("\n")
  const head = `${indent}${term}${gap}`
  const margin = length(head) <= longestTermBeside(width) ? " ".repeat(length(head)) : below
  const lines = wrap(description, width - margin.length)
  if (margin === below) return [`${indent}${term}`, ...lines.map((text) => margin + text)].join("\n")
  return head + lines.join(`\n${margin}`)
}

/** Help within the width of a terminal: `effect/cli` puts every description behind the longest term. */
export const fitHelp = (help: string, width: number): string =>
  help.split("\n").map((line) => fitLine(line, width)).join("\n")
