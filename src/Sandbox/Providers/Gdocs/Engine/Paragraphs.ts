import { type IdGenerator, type Inline, isTextRun, type Paragraph } from "./Document.ts"
import { insertionStyle, mergeRuns, plainText, removeLink, sliceInlines, splitLines } from "./Inlines.ts"
import { asString, type JsonObject, without } from "./Json.ts"
import { inlinesWidth } from "./Measure.ts"

export const isHeading = (style: JsonObject): boolean =>
  /^(?:HEADING_[1-6]|TITLE|SUBTITLE)$/.test(asString(style["namedStyleType"]))

export const insertInlines = (
  paragraph: Paragraph,
  offset: number,
  inserted: ReadonlyArray<Inline>,
  ids: IdGenerator
): ReadonlyArray<Paragraph> => {
  const before = sliceInlines(paragraph.inlines, 0, offset)
  const after = sliceInlines(paragraph.inlines, offset, Number.MAX_SAFE_INTEGER)
  const parts = splitLines([...before, ...inserted.flatMap(unlinkNewlines), ...after])
  const keeps = headingIdPart(paragraph, before, parts.length)
  return parts.map((inlines, position): Paragraph => ({
    ...paragraph,
    inlines: mergeRuns(inlines),
    style: position === keeps || !isHeading(paragraph.style)
      ? paragraph.style
      : { ...paragraph.style, headingId: ids.next("h.") },
    rest: position === 0 ? paragraph.rest : {}
  }))
}

/** "Links are not settable on newline characters" (`TextStyle.link`). */
const unlinkNewlines = (inline: Inline): ReadonlyArray<Inline> =>
  isTextRun(inline) && inline.style["link"] !== undefined
    ? inline.text.split(/(?=\n)|(?<=\n)/).map((text) => ({
      ...inline,
      text,
      style: text === "\n" ? removeLink(inline.style) : inline.style
    }))
    : [inline]

/** Undocumented: the part with the first character of the heading keeps the `headingId`. */
const headingIdPart = (paragraph: Paragraph, before: ReadonlyArray<Inline>, parts: number): number =>
  before.length > 0 && inlinesWidth(paragraph.inlines) > 1 ? 0 : parts - 1

export const insertText = (
  paragraph: Paragraph,
  offset: number,
  content: string,
  ids: IdGenerator
): ReadonlyArray<Paragraph> =>
  insertInlines(paragraph, offset, [{ text: content, style: insertionStyle(paragraph.inlines, offset), rest: {} }], ids)

// oxlint-disable-next-line no-control-regex
const unsupportedCharacters = /[\u0000-\u0008\u000C-\u001F\uE000-\uF8FF]/g

/** Google strips control and private use characters (`InsertTextRequest.text`). */
export const stripUnsupported = (content: string): string => content.replace(unsupportedCharacters, "")

export const joinParagraphs = (first: Paragraph, offset: number, last: Paragraph, lastOffset: number): Paragraph => {
  const inlines = mergeRuns([
    ...sliceInlines(first.inlines, 0, offset),
    ...sliceInlines(last.inlines, lastOffset, Number.MAX_SAFE_INTEGER)
  ])
  return { ...(offset === 0 ? last : first), inlines }
}

export const countLeadingTabs = (paragraph: Paragraph): number =>
  /^\t*/.exec(plainText(paragraph.inlines))?.[0].length ?? 0

export const dropCharacters = (paragraph: Paragraph, count: number): Paragraph =>
  count === 0 ? paragraph : { ...paragraph, inlines: sliceInlines(paragraph.inlines, count, Number.MAX_SAFE_INTEGER) }

export const removeBullet = (paragraph: Paragraph): Paragraph => {
  const { bullet, ...plain } = paragraph
  if (bullet === undefined) return paragraph
  const indent = { magnitude: 36 * bullet.nestingLevel, unit: "PT" }
  const style = without(plain.style, "indentStart", "indentFirstLine")
  return {
    ...plain,
    style: bullet.nestingLevel === 0 ? style : { ...style, indentFirstLine: indent, indentStart: indent }
  }
}
