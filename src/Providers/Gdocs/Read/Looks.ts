import type { Paragraph, TextStyle } from "./DocumentAnswer.ts"

/*
 * What a paragraph's looks stand for in markdown. The writing tools use the same looks, so that what they write is read
 * as it was.
 */

/** Points; the indent that the provider's own Markdown import gives a quote on all three sides. */
export const quoteIndent = 30

/** Points a nesting level of a list (`NestingLevel.indentStart` of every preset). */
export const listIndent = 36

const monospaced =
  /\bmono\b|courier|consolas|menlo|monaco|cousine|inconsolata|source code|fira code|anonymous pro|lucida console|nanum gothic coding/i

export const isMonospaced = ({ weightedFontFamily }: TextStyle = {}): boolean =>
  monospaced.test(weightedFontFamily?.fontFamily ?? "")

export type Role = "title" | "subtitle" | 1 | 2 | 3 | 4 | 5 | 6

const roles: Readonly<Record<string, Role>> = {
  TITLE: "title",
  SUBTITLE: "subtitle",
  HEADING_1: 1,
  HEADING_2: 2,
  HEADING_3: 3,
  HEADING_4: 4,
  HEADING_5: 5,
  HEADING_6: 6
}

export const roleOf = ({ paragraphStyle }: Paragraph): Role | undefined => roles[paragraphStyle?.namedStyleType ?? ""]

export const isShaded = ({ paragraphStyle }: Paragraph): boolean =>
  paragraphStyle?.shading?.backgroundColor?.color?.rgbColor !== undefined

export const hasBottomBorder = ({ paragraphStyle }: Paragraph): boolean =>
  (paragraphStyle?.borderBottom?.width?.magnitude ?? 0) > 0

export interface Nesting {
  readonly quotes: number
  /** Levels of a list that a paragraph without a bullet of its own is indented by. */
  readonly items: number
}

/** Indents of a multiple of 30 on both sides are quotes; what is left over may align with the text of a list's items. */
export const nestingOf = ({ bullet, paragraphStyle = {} }: Paragraph): Nesting => {
  const start = paragraphStyle.indentStart?.magnitude ?? 0
  const end = paragraphStyle.indentEnd?.magnitude ?? 0
  const firstLine = paragraphStyle.indentFirstLine?.magnitude ?? 0
  const quotes = isMultiple(end, quoteIndent) ? Math.round(end / quoteIndent) : 0
  if (bullet !== undefined) return { quotes, items: 0 }
  if (firstLine !== start) return { quotes: 0, items: 0 }
  const isQuote = quotes > 0 && start >= end
  const rest = isQuote ? start - end : start
  return { quotes: isQuote ? quotes : 0, items: isMultiple(rest, listIndent) ? Math.round(rest / listIndent) : 0 }
}

const isMultiple = (points: number, of: number): boolean =>
  points > 0 && Math.abs(points - of * Math.round(points / of)) < 0.5
