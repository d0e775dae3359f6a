import type { Paragraph, TextStyle } from "../Responses.ts"

/** The indent of quotes in points. The provider's Markdown import sets it on both sides and the first line. */
export const quoteIndent = 30

/** The indent of lists in points per level, as `NestingLevel.indentStart` of every list preset. */
export const listIndent = 36

const monospaced =
  /\bmono\b|courier|consolas|menlo|monaco|cousine|inconsolata|\bcode\b|vt323|anonymous pro|lucida console|nanum gothic coding/i

export const isMonospaced = ({ weightedFontFamily }: TextStyle = {}): boolean =>
  monospaced.test(weightedFontFamily?.fontFamily ?? "")

export type HeadingStyle = "title" | "subtitle" | 1 | 2 | 3 | 4 | 5 | 6

const headingStyles: Readonly<Record<string, HeadingStyle>> = {
  TITLE: "title",
  SUBTITLE: "subtitle",
  HEADING_1: 1,
  HEADING_2: 2,
  HEADING_3: 3,
  HEADING_4: 4,
  HEADING_5: 5,
  HEADING_6: 6
}

export const headingStyleOf = ({ paragraphStyle }: Paragraph): HeadingStyle | undefined =>
  headingStyles[paragraphStyle?.namedStyleType ?? ""]

export const isShaded = ({ paragraphStyle }: Paragraph): boolean =>
  paragraphStyle?.shading?.backgroundColor?.color?.rgbColor !== undefined

export const hasBottomBorder = ({ paragraphStyle }: Paragraph): boolean =>
  (paragraphStyle?.borderBottom?.width?.magnitude ?? 0) > 0

export interface Nesting {
  readonly quoteLevels: number
  readonly listLevels: number
}

export const nestingOf = ({ bullet, paragraphStyle = {} }: Paragraph): Nesting => {
  const start = paragraphStyle.indentStart?.magnitude ?? 0
  const end = paragraphStyle.indentEnd?.magnitude ?? 0
  const firstLine = paragraphStyle.indentFirstLine?.magnitude ?? 0
  const quoteLevels = levelsOf(end, quoteIndent)
  if (bullet !== undefined) return { quoteLevels, listLevels: 0 }
  if (firstLine !== start) return { quoteLevels: 0, listLevels: 0 }
  const isQuote = quoteLevels > 0 && start >= end
  const rest = isQuote ? start - end : start
  return {
    quoteLevels: isQuote ? quoteLevels : 0,
    listLevels: levelsOf(rest, listIndent)
  }
}

const maxLevels = 50

const levelsOf = (points: number, of: number): number => {
  const levels = Math.round(points / of)
  return levels > 0 && levels <= maxLevels && Math.abs(points - of * levels) < 0.5 ? levels : 0
}
