import type { Ids } from "./Ids.ts"
import { lines, merge, plainText, slice, styleAt } from "./Inlines.ts"
import { text, without } from "./Json.ts"
import { widthOfInlines } from "./Measure.ts"
import type { Inline, Paragraph, Props } from "./State.ts"

/** What a paragraph of this style is called when it is a heading: one that other text can link to. */
export const isHeading = (style: Props): boolean =>
  /^(?:HEADING_[1-6]|TITLE|SUBTITLE)$/.test(text(style["namedStyleType"]))

/**
 * Puts `inserted` into a paragraph. Each newline in it makes a new paragraph with the style and the bullet of the one
 * that it splits.
 */
export const insertInlines = (
  paragraph: Paragraph,
  offset: number,
  inserted: ReadonlyArray<Inline>,
  ids: Ids
): ReadonlyArray<Paragraph> => {
  const before = slice(paragraph.inlines, 0, offset)
  const after = slice(paragraph.inlines, offset, Number.MAX_SAFE_INTEGER)
  const parts = lines([...before, ...inserted, ...after])
  const keeps = keptBy(paragraph, before, parts.length)
  return parts.map((inlines, position): Paragraph => ({
    ...paragraph,
    inlines: merge(inlines),
    style: position === keeps || !isHeading(paragraph.style)
      ? paragraph.style
      : { ...paragraph.style, headingId: ids.next("h.") },
    rest: position === 0 ? paragraph.rest : {}
  }))
}

/**
 * Which part of a split heading keeps its `headingId`: the one that holds what was the heading's beginning. The provider
 * does not document this.
 */
const keptBy = (paragraph: Paragraph, before: ReadonlyArray<Inline>, parts: number): number =>
  before.length > 0 && widthOfInlines(paragraph.inlines) > 1 ? 0 : parts - 1

/** Text takes the style of what stands before it; some characters are stripped out of it. */
export const insertText = (paragraph: Paragraph, offset: number, content: string, ids: Ids): ReadonlyArray<Paragraph> =>
  insertInlines(paragraph, offset, [{ text: content, style: styleAt(paragraph.inlines, offset), rest: {} }], ids)

// oxlint-disable-next-line no-control-regex
const stripped = /[\u0000-\u0008\u000C-\u001F\uE000-\uF8FF]/g

/** `InsertTextRequest.text`: control characters and those of the private use area do not arrive. */
export const strip = (content: string): string => content.replace(stripped, "")

/** What is left of two paragraphs when the text from one into the other is deleted. */
export const join = (first: Paragraph, offset: number, last: Paragraph, lastOffset: number): Paragraph => {
  const inlines = merge([
    ...slice(first.inlines, 0, offset),
    ...slice(last.inlines, lastOffset, Number.MAX_SAFE_INTEGER)
  ])
  return { ...(offset === 0 ? last : first), inlines }
}

export const leadingTabs = (paragraph: Paragraph): number => /^\t*/.exec(plainText(paragraph.inlines))?.[0].length ?? 0

export const dropLeading = (paragraph: Paragraph, count: number): Paragraph =>
  count === 0 ? paragraph : { ...paragraph, inlines: slice(paragraph.inlines, count, Number.MAX_SAFE_INTEGER) }

/** Bullets come off: the nesting stays visible as an indent. */
export const withoutBullet = (paragraph: Paragraph): Paragraph => {
  const { bullet, ...plain } = paragraph
  if (bullet === undefined) return paragraph
  const indent = { magnitude: 36 * bullet.nestingLevel, unit: "PT" }
  const style = without(plain.style, "indentStart", "indentFirstLine")
  return {
    ...plain,
    style: bullet.nestingLevel === 0 ? style : { ...style, indentFirstLine: indent, indentStart: indent }
  }
}
