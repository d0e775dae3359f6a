import { Result } from "effect"
import { deleteRange } from "./Deletion.ts"
import type { IdGenerator } from "./Document.ts"
import type { Content } from "./Document.ts"
import { plainText, sliceInlines, textStyleOf } from "./Inlines.ts"
import { blockWidth } from "./Measure.ts"
import { insertInlines } from "./Paragraphs.ts"
import { cellsOf, paragraphAt, replaceAt } from "./Tree.ts"

export interface Search {
  readonly text: string
  readonly matchCase: boolean
}

export interface Replacement {
  readonly content: Content
  readonly occurrences: number
}

/**
 * A match may span styles and paragraphs. Straight and curly quotes match. The replacement takes the style of the
 * first matched character.
 */
export const replaceAll = (content: Content, search: Search, replacement: string, ids: IdGenerator): Replacement => {
  const found = [...passagesOf(content, 0)].flatMap((passage) => findOccurrences(passage, search))
  const replaced = found.toReversed().reduce(
    (before, [from, to]) => replaceOccurrence(before, [from, to], replacement, ids),
    content
  )
  return { content: replaced, occurrences: found.length }
}

interface Passage {
  readonly text: string
  readonly start: number
}

function* passagesOf(content: Content, start: number): Generator<Passage> {
  let at = start
  let passage: Passage = { text: "", start }
  for (const block of content) {
    const blockStart = at
    at += blockWidth(block)
    if (block.kind === "paragraph") {
      passage = { ...passage, text: passage.text + plainText(block.inlines) }
      continue
    }
    yield passage
    passage = { text: "", start: at }
    if (block.kind === "table") {
      for (const { cell, start: cellStart } of cellsOf(block, blockStart)) {
        yield* passagesOf(cell.content, cellStart + 1)
      }
    }
  }
  yield passage
}

const findOccurrences = (
  { start, text }: Passage,
  { matchCase, text: wanted }: Search
): ReadonlyArray<[number, number]> => {
  const haystack = normalize(text, matchCase)
  const needle = normalize(wanted, matchCase)
  const found: Array<[number, number]> = []
  let at = haystack.indexOf(needle)
  while (at !== -1 && at + needle.length < haystack.length) {
    found.push([start + at, start + at + needle.length])
    at = haystack.indexOf(needle, at + needle.length)
  }
  return found
}

const normalize = (text: string, matchCase: boolean): string => {
  const straight = text.replace(/[‘’]/g, "'").replace(/[“”]/g, "\"")
  return matchCase ? straight : straight.replace(/[^\0-\x40]/g, (unit) => {
    const lower = unit.toLowerCase()
    return lower.length === 1 ? lower : unit
  })
}

const replaceOccurrence = (
  content: Content,
  [from, to]: readonly [number, number],
  replacement: string,
  ids: IdGenerator
): Content => {
  const first = paragraphAt(content, from)
  if (first === undefined) return content
  const offset = from - first.start
  const [inline] = sliceInlines(first.paragraph.inlines, offset, offset + 1)
  const style = inline === undefined ? {} : textStyleOf(inline)
  const left = Result.getOrElse(deleteRange(content, [from, to]), () => content)
  const place = replacement === "" ? undefined : paragraphAt(left, from)
  return place === undefined ? left : replaceAt(
    left,
    place.path,
    insertInlines(place.paragraph, from - place.start, [{ text: replacement, style, rest: {} }], ids)
  )
}
