import { equal, props } from "./Json.ts"
import { widthOfInline } from "./Measure.ts"
import { type Inline, isRun, type Props } from "./State.ts"

type Inlines = ReadonlyArray<Inline>

/** The part of `inlines` between two offsets; a thing that is cut through belongs to neither side. */
export const slice = (inlines: Inlines, from: number, to: number): Inlines => {
  const kept: Array<Inline> = []
  let at = 0
  for (const inline of inlines) {
    const end = at + widthOfInline(inline)
    if (isRun(inline)) {
      const text = inline.text.slice(Math.max(0, from - at), Math.max(0, to - at))
      if (text !== "") kept.push(text.length === inline.text.length ? inline : { ...inline, text })
    } else if (from <= at && end <= to) {
      kept.push(inline)
    }
    at = end
  }
  return kept
}

/** Neighbours of the same style become one run. */
export const merge = (inlines: Inlines): Inlines => {
  const merged: Array<Inline> = []
  for (const inline of inlines) {
    const before = merged.at(-1)
    if (
      before !== undefined && isRun(before) && isRun(inline) && equal(before.style, inline.style) &&
      equal(before.rest, inline.rest)
    ) {
      merged[merged.length - 1] = { ...before, text: before.text + inline.text }
    } else {
      merged.push(inline)
    }
  }
  return merged
}

/** Changes what lies between two offsets. */
export const mapBetween = (inlines: Inlines, from: number, to: number, change: (inline: Inline) => Inlines): Inlines =>
  merge([
    ...slice(inlines, 0, from),
    ...slice(inlines, from, to).flatMap(change),
    ...slice(inlines, to, Number.MAX_SAFE_INTEGER)
  ])

/** Splits at newlines: each part but the last ends with one. */
export const lines = (inlines: Inlines): ReadonlyArray<Inlines> => {
  const split: Array<Array<Inline>> = [[]]
  for (const inline of inlines) {
    if (!isRun(inline)) {
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

/** One character a unit; U+FFFC stands for every unit of a thing, as it does nowhere in text. */
export const plainText = (inlines: Inlines): string =>
  inlines.map((inline) => isRun(inline) ? inline.text : "\uFFFC".repeat(inline.width)).join("")

export const styleOf = (inline: Inline): Props =>
  isRun(inline) ? inline.style : props(Object.values(inline.element).map(props)[0]?.["textStyle"])

/** The style that text inserted at an offset takes: that of what stands before it, at the start that of what follows. */
export const styleAt = (inlines: Inlines, offset: number): Props => {
  const before = slice(inlines, offset - 1, offset)[0]
  const after = slice(inlines, offset, offset + 1)[0]
  const inherited = styleOf(offset > 0 && before !== undefined ? before : after ?? { text: "", style: {}, rest: {} })
  const follows = after === undefined ? {} : styleOf(after)
  if (inherited["link"] === undefined || (offset > 0 && equal(inherited["link"], follows["link"]))) return inherited
  return withoutLink(inherited)
}

/** Without a link and the look that came with it. */
export const withoutLink = (style: Props): Props => {
  const { foregroundColor: _colour, link: _link, underline: _underline, ...kept } = style
  return kept
}
