import {
  type Block,
  type Cell,
  type Content,
  type Inline,
  isTextRun,
  type Paragraph,
  type TableRow
} from "./Document.ts"
import { asArray, asObject, type JsonObject } from "./Json.ts"

export type SuggestionsViewMode =
  | "DEFAULT_FOR_CURRENT_ACCESS"
  | "SUGGESTIONS_INLINE"
  | "PREVIEW_SUGGESTIONS_ACCEPTED"
  | "PREVIEW_WITHOUT_SUGGESTIONS"

export const viewContent = (content: Content, mode: SuggestionsViewMode): Content => {
  if (mode !== "PREVIEW_SUGGESTIONS_ACCEPTED" && mode !== "PREVIEW_WITHOUT_SUGGESTIONS") return content
  const dropped = mode === "PREVIEW_SUGGESTIONS_ACCEPTED" ? "suggestedDeletionIds" : "suggestedInsertionIds"
  return preview(content, dropped)
}

const preview = (content: Content, dropped: string): Content => {
  const kept: Array<Block> = []
  let open: Paragraph | undefined
  for (const block of content) {
    if (block.kind !== "paragraph") {
      if (!isDropped(block.rest, dropped)) kept.push(previewBlock(block, dropped))
      continue
    }
    const inlines = block.inlines.filter((inline) => !isDropped(suggestionsOf(inline), dropped)).map(clearSuggestions)
    const joined: Paragraph = {
      ...(open ?? block),
      rest: clearSuggestionFields((open ?? block).rest),
      inlines: [...open?.inlines ?? [], ...inlines]
    }
    const last = inlines.at(-1)
    const ends = last !== undefined && isTextRun(last) && last.text.endsWith("\n")
    if (ends) kept.push(joined)
    open = ends || joined.inlines.length === 0 ? undefined : joined
  }
  return kept
}

const previewBlock = (block: Exclude<Block, Paragraph>, dropped: string): Block => {
  switch (block.kind) {
    case "sectionBreak":
      return { ...block, rest: clearSuggestionFields(block.rest) }
    case "tableOfContents":
      return { ...block, rest: clearSuggestionFields(block.rest), content: preview(block.content, dropped) }
    case "table": {
      const rows = block.rows.filter((row) => !isDropped(row.rest, dropped)).map((row): TableRow => ({
        ...row,
        rest: clearSuggestionFields(row.rest),
        cells: row.cells.filter((cell) => !isDropped(cell.rest, dropped)).map((cell): Cell => ({
          ...cell,
          rest: clearSuggestionFields(cell.rest),
          content: preview(cell.content, dropped)
        }))
      }))
      return { ...block, rest: clearSuggestionFields(block.rest), rows }
    }
  }
}

const isDropped = (rest: JsonObject, dropped: string): boolean => asArray(rest[dropped]).length > 0

const suggestionsOf = (inline: Inline): JsonObject =>
  isTextRun(inline) ? inline.rest : Object.values(inline.element).map(asObject)[0] ?? {}

const clearSuggestions = (inline: Inline): Inline =>
  isTextRun(inline) ? { ...inline, rest: clearSuggestionFields(inline.rest) } : {
    ...inline,
    element: Object.fromEntries(
      Object.entries(inline.element).map(([name, value]) => [name, clearSuggestionFields(asObject(value))])
    )
  }

const clearSuggestionFields = (rest: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith("suggested")))
