import type { FootnoteDefinition } from "mdast"
import { cellsOf, type StructuralElement } from "../Responses.ts"
import { type Block, blocksOf } from "./Blocks.ts"
import type { ReadContext } from "./Inlines.ts"
import { markdownTree } from "./MarkdownTree.ts"
import { isInserted } from "./Suggestions.ts"

export interface Footnote {
  readonly label: string
  readonly blocks: ReadonlyArray<Block>
}

export const footnotesOf = (
  content: ReadonlyArray<StructuralElement>,
  { from, to }: { readonly from: number; readonly to: number },
  tab: ReadContext
): ReadonlyArray<Footnote> =>
  content.flatMap(({ endIndex = 0, paragraph, startIndex = 0, table }): ReadonlyArray<Footnote> => {
    if (endIndex <= from || startIndex >= to) return []
    if (table !== undefined) {
      return cellsOf(table).flatMap((cell) => footnotesOf(cell.content ?? [], { from, to }, tab))
    }
    return (paragraph?.elements ?? []).flatMap(({ footnoteReference }) => {
      if (footnoteReference === undefined) return []
      if (tab.suggestions === "hide" && isInserted(footnoteReference)) return []
      const { footnoteId = "", footnoteNumber = "" } = footnoteReference
      const note = tab.contents.footnotes?.[footnoteId]?.content ?? []
      return [{ label: `${tab.footnotePrefix}${footnoteNumber}`, blocks: blocksOf(note, tab) }]
    })
  })

export const footnoteDefinition = ({ label, blocks }: Footnote): FootnoteDefinition => ({
  type: "footnoteDefinition",
  identifier: label,
  label,
  children: [...markdownTree(blocks)]
})
