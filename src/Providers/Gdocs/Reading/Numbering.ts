import type { DocumentTab, NestingLevel, Paragraph } from "../Responses.ts"

export interface ListMarker {
  readonly listId: string
  readonly level: number
  readonly checkbox: boolean
  /** In a numbered list. */
  readonly number: number | undefined
}

const orderedGlyphs = new Set(["DECIMAL", "ZERO_DECIMAL", "ALPHA", "UPPER_ALPHA", "ROMAN", "UPPER_ROMAN"])

const startOf = ({ glyphType = "", startNumber = 1 }: NestingLevel): number =>
  glyphType.includes("DECIMAL") ? startNumber : Math.max(1, startNumber)

/** The marker of the next item. A list goes on below other paragraphs, and in the cells of a table. */
export type ItemNumbers = (bullet: NonNullable<Paragraph["bullet"]>) => ListMarker

export const makeNumbering = ({ lists = {} }: DocumentTab): ItemNumbers => {
  const counts = new Map<string, ReadonlyArray<number | undefined>>()
  return ({ listId = "", nestingLevel: level = 0 }) => {
    const style = lists[listId]?.listProperties?.nestingLevels?.[level]
    const { glyphSymbol, glyphType = "GLYPH_TYPE_UNSPECIFIED" } = style ?? {}
    const checkbox = style !== undefined && glyphType === "GLYPH_TYPE_UNSPECIFIED" && glyphSymbol === undefined
    const before = counts.get(listId) ?? []
    const last = before[level]
    const number = style === undefined || !orderedGlyphs.has(glyphType)
      ? undefined
      : last === undefined
      ? startOf(style)
      : last + 1
    counts.set(listId, [...Array.from({ length: level }, (_, at) => before[at]), number])
    return { listId, level, checkbox, number }
  }
}
