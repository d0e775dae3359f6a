import { Schema } from "effect"
import { append } from "../../../Domain/Lists.ts"
import { cellsOf, type DocumentTab, type StructuralElement } from "../Responses.ts"

export const NoMatchReason = Schema.Literals([
  "soft_line_break",
  "nbsp",
  "whitespace",
  "dash",
  "zero_width",
  "case",
  "other_tab",
  "not_found"
])
export type NoMatchReason = typeof NoMatchReason.Type

export type Passages = ReadonlyArray<string>

export const passagesOf = ({ body, footers = {}, footnotes = {}, headers = {} }: DocumentTab): Passages =>
  [body, ...Object.values(headers), ...Object.values(footers), ...Object.values(footnotes)]
    .flatMap((segment) => passagesIn(segment?.content ?? []))

const passagesIn = (content: ReadonlyArray<StructuralElement>): Passages => {
  const passages: Array<string> = [""]
  for (const { paragraph, table } of content) {
    if (paragraph !== undefined) {
      const text = (paragraph.elements ?? []).map(({ textRun }) => textRun?.content ?? "\uFFFC").join("")
      passages[passages.length - 1] += text
      continue
    }
    append(passages, cellsOf(table).flatMap((cell) => passagesIn(cell.content ?? [])))
    passages.push("")
  }
  return passages.filter((passage) => passage !== "")
}

export const countMatches = (passages: Passages, find: string, matchCase: boolean): number => {
  const comparable = (text: string) => matchCase ? straight(text) : straight(text).toLowerCase()
  const needle = comparable(find)
  return passages.reduce((count, passage) => count + occurrences(comparable(passage).replace(/\n$/, ""), needle), 0)
}

export const straight = (text: string): string => text.replace(/[‘’]/g, "'").replace(/[“”]/g, "\"")

const occurrences = (text: string, needle: string): number => needle === "" ? 0 : text.split(needle).length - 1

type Fold = readonly [reason: NoMatchReason, fold: (text: string) => string]

const folds: ReadonlyArray<Fold> = [
  ["soft_line_break", (text) => text.replaceAll("\u000B", "\n")],
  ["nbsp", (text) => text.replace(/[\u00A0\u2007\u202F]/g, " ")],
  ["whitespace", (text) => text.replace(/\s+/g, " ").trim()],
  ["dash", (text) => text.replace(/[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/g, "-")],
  ["zero_width", (text) => text.replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, "")],
  ["case", (text) => text.toLowerCase()]
]

export const noMatchReason = (
  { elsewhere, find, matchCase, searched }: {
    readonly searched: Passages
    readonly elsewhere: Passages
    readonly find: string
    readonly matchCase: boolean
  }
): NoMatchReason => {
  const matches = (used: ReadonlyArray<Fold>) => {
    const apply = (text: string) => used.reduce((folded, [, fold]) => fold(folded), text.normalize("NFC"))
    return countMatches(searched.map(apply), apply(find), matchCase) > 0
  }
  const isSame = matches([])
  const single = isSame ? undefined : folds.find((fold) => matches([fold]))
  if (single !== undefined) return single[0]
  if (countMatches(elsewhere, find, matchCase) > 0) return "other_tab"
  if (isSame || !matches(folds)) return "not_found"
  const needed = whitespaceFirst.reduce((kept, fold) => {
    const without = kept.filter((each) => each !== fold)
    return matches(without) ? without : kept
  }, folds)
  return needed[0]?.[0] ?? "not_found"
}

const whitespaceFirst = folds.toSorted(([left], [right]) =>
  Number(right === "whitespace") - Number(left === "whitespace")
)
