import { type Inline, isTextRun } from "./Document.ts"
import { asObject, equal, type JsonObject } from "./Json.ts"
import { inlineWidth } from "./Measure.ts"

type Inlines = ReadonlyArray<Inline>

export const sliceInlines = (inlines: Inlines, from: number, to: number): Inlines => {
  const kept: Array<Inline> = []
  let at = 0
  for (const inline of inlines) {
    const end = at + inlineWidth(inline)
    if (isTextRun(inline)) {
      const text = inline.text.slice(Math.max(0, from - at), Math.max(0, to - at))
      if (text !== "") kept.push(text.length === inline.text.length ? inline : { ...inline, text })
    } else if (from <= at && end <= to) {
      kept.push(inline)
    }
    at = end
  }
  return kept
}

export const mergeRuns = (inlines: Inlines): Inlines => {
  const merged: Array<Inline> = []
  for (const inline of inlines) {
    const before = merged.at(-1)
    if (
      before !== undefined && isTextRun(before) && isTextRun(inline) && equal(before.style, inline.style) &&
      equal(before.rest, inline.rest)
    ) {
      merged[merged.length - 1] = { ...before, text: before.text + inline.text }
    } else {
      merged.push(inline)
    }
  }
  return merged
}

export const mapBetween = (inlines: Inlines, from: number, to: number, change: (inline: Inline) => Inlines): Inlines =>
  mergeRuns([
    ...sliceInlines(inlines, 0, from),
    ...sliceInlines(inlines, from, to).flatMap(change),
    ...sliceInlines(inlines, to, Number.MAX_SAFE_INTEGER)
  ])

export const splitLines = (inlines: Inlines): ReadonlyArray<Inlines> => {
  const split: Array<Array<Inline>> = [[]]
  for (const inline of inlines) {
    if (!isTextRun(inline)) {
      split.at(-1)?.push(inline)
      continue
    }
    for (const text of inline.text.split(/(?<=\n)/)) {
      split.at(-1)?.push({ ...inline, text })
      if (text.endsWith("\n")) split.push([])
    }
  }
  return split.filter((line) => line.length > 0)
}

/** U+FFFC stands for each unit of an element, so that offsets match indexes. */
export const plainText = (inlines: Inlines): string =>
  inlines.map((inline) => isTextRun(inline) ? inline.text : "\uFFFC".repeat(inline.width)).join("")

export const textStyleOf = (inline: Inline): JsonObject =>
  isTextRun(inline) ? inline.style : asObject(Object.values(inline.element).map(asObject)[0]?.["textStyle"])

export const insertionStyle = (inlines: Inlines, offset: number): JsonObject => {
  const before = sliceInlines(inlines, offset - 1, offset)[0]
  const after = sliceInlines(inlines, offset, offset + 1)[0]
  const inherited = textStyleOf(
    offset > 0 && before !== undefined ? before : after ?? { text: "", style: {}, rest: {} }
  )
  const follows = after === undefined ? {} : textStyleOf(after)
  if (inherited["link"] === undefined || (offset > 0 && equal(inherited["link"], follows["link"]))) return inherited
  return removeLink(inherited)
}

export const removeLink = (style: JsonObject): JsonObject => {
  const { foregroundColor: _colour, link: _link, underline: _underline, ...kept } = style
  return kept
}
