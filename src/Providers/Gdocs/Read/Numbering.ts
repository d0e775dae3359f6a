import type { DocumentTab, NestingLevel } from "./DocumentAnswer.ts"

export interface ItemMark {
  readonly listId: string
  readonly level: number
  readonly checkbox: boolean
  /** Absent for bullets. */
  readonly number?: number
}

const ordered = new Set(["DECIMAL", "ZERO_DECIMAL", "ALPHA", "UPPER_ALPHA", "ROMAN", "UPPER_ROMAN"])

/** `NestingLevel.startNumber`: letters and Roman numerals have no zero. */
const startOf = ({ glyphType = "", startNumber = 1 }: NestingLevel): number =>
  glyphType.includes("DECIMAL") ? startNumber : Math.max(1, startNumber)

/**
 * Counts a tab's items, in the order of the tab. A list goes on across what interrupts it; its deeper levels begin anew
 * with each item above them.
 */
export const makeNumbering = ({ lists = {} }: DocumentTab) => {
  const counts = new Map<string, ReadonlyArray<number | undefined>>()
  return (
    { listId = "", nestingLevel: level = 0 }: { readonly listId?: string; readonly nestingLevel?: number }
  ): ItemMark => {
    const style = lists[listId]?.listProperties?.nestingLevels?.[level]
    const { glyphSymbol, glyphType = "GLYPH_TYPE_UNSPECIFIED" } = style ?? {}
    const checkbox = style !== undefined && glyphType === "GLYPH_TYPE_UNSPECIFIED" && glyphSymbol === undefined
    const before = counts.get(listId) ?? []
    const last = before[level]
    const number = style === undefined || !ordered.has(glyphType)
      ? undefined
      : last === undefined
      ? startOf(style)
      : last + 1
    counts.set(listId, [...Array.from({ length: level }, (_, at) => before[at]), number])
    return { listId, level, checkbox, ...(number === undefined ? {} : { number }) }
  }
}
