import { items, props, without } from "./Json.ts"
import {
  type Block,
  type Cell,
  type Content,
  type Inline,
  isRun,
  type Paragraph,
  type Props,
  type Row
} from "./State.ts"

export type SuggestionsViewMode =
  | "DEFAULT_FOR_CURRENT_ACCESS"
  | "SUGGESTIONS_INLINE"
  | "PREVIEW_SUGGESTIONS_ACCEPTED"
  | "PREVIEW_WITHOUT_SUGGESTIONS"

/** A content as if its suggestions were accepted, or had never been made. Suggested styles are not applied. */
export const viewContent = (content: Content, mode: SuggestionsViewMode): Content => {
  if (mode !== "PREVIEW_SUGGESTIONS_ACCEPTED" && mode !== "PREVIEW_WITHOUT_SUGGESTIONS") return content
  const dropped = mode === "PREVIEW_SUGGESTIONS_ACCEPTED" ? "suggestedDeletionIds" : "suggestedInsertionIds"
  return previewed(content, dropped)
}

const previewed = (content: Content, dropped: string): Content => {
  const kept: Array<Block> = []
  let open: Paragraph | undefined
  for (const block of content) {
    if (block.kind !== "paragraph") {
      kept.push(...(isDropped(block.rest, dropped) ? [] : [previewBlock(block, dropped)]))
      continue
    }
    const inlines = block.inlines.filter((inline) => !isDropped(suggestionsOf(inline), dropped)).map(plain)
    const joined: Paragraph = {
      ...(open ?? block),
      rest: plainRest((open ?? block).rest),
      inlines: [...open?.inlines ?? [], ...inlines]
    }
    const last = inlines.at(-1)
    const ends = last !== undefined && isRun(last) && last.text.endsWith("\n")
    if (ends) kept.push(joined)
    open = ends || joined.inlines.length === 0 ? undefined : joined
  }
  return kept
}

const previewBlock = (block: Exclude<Block, Paragraph>, dropped: string): Block => {
  switch (block.kind) {
    case "sectionBreak":
      return { ...block, rest: plainRest(block.rest) }
    case "tableOfContents":
      return { ...block, rest: plainRest(block.rest), content: previewed(block.content, dropped) }
    case "table": {
      const rows = block.rows.filter((row) => !isDropped(row.rest, dropped)).map((row): Row => ({
        ...row,
        rest: plainRest(row.rest),
        cells: row.cells.filter((cell) => !isDropped(cell.rest, dropped)).map((cell): Cell => ({
          ...cell,
          rest: plainRest(cell.rest),
          content: previewed(cell.content, dropped)
        }))
      }))
      return { ...block, rest: plainRest(block.rest), rows }
    }
  }
}

const isDropped = (rest: Props, dropped: string): boolean => items(rest[dropped]).length > 0

const suggestionsOf = (inline: Inline): Props =>
  isRun(inline) ? inline.rest : Object.values(inline.element).map(props)[0] ?? {}

const plain = (inline: Inline): Inline =>
  isRun(inline) ? { ...inline, rest: plainRest(inline.rest) } : {
    ...inline,
    element: Object.fromEntries(Object.entries(inline.element).map(([name, value]) => [name, plainRest(props(value))]))
  }

const plainRest = (rest: Props): Props =>
  without(rest, ...Object.keys(rest).filter((name) => name.startsWith("suggested")))
