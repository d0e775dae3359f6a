import type { FootnoteDefinition } from "mdast"
import { assemble } from "./Assemble.ts"
import type { ReadingTab } from "./Atoms.ts"
import type { StructuralElement } from "./DocumentAnswer.ts"
import { type Piece, piecesOf } from "./Pieces.ts"

export interface Footnote {
  readonly label: string
  readonly pieces: ReadonlyArray<Piece>
}

/** The footnotes that are referred to between two indexes, in the order of their marks. */
export const footnotesOf = (
  content: ReadonlyArray<StructuralElement>,
  { from, to }: { readonly from: number; readonly to: number },
  tab: ReadingTab
): ReadonlyArray<Footnote> =>
  content.flatMap(({ endIndex = 0, paragraph, startIndex = 0, table }): ReadonlyArray<Footnote> => {
    if (endIndex <= from || startIndex >= to) return []
    if (table !== undefined) {
      return (table.tableRows ?? []).flatMap((row) => row.tableCells ?? []).flatMap((cell) =>
        footnotesOf(cell.content ?? [], { from, to }, tab)
      )
    }
    return (paragraph?.elements ?? []).flatMap(({ footnoteReference }) => {
      if (footnoteReference === undefined) return []
      const { footnoteId = "", footnoteNumber = "" } = footnoteReference
      const note = tab.contents.footnotes?.[footnoteId]?.content ?? []
      return [{ label: `${tab.footnotePrefix}${footnoteNumber}`, pieces: piecesOf(note, tab) }]
    })
  })

export const definitionOf = ({ label, pieces }: Footnote): FootnoteDefinition => ({
  type: "footnoteDefinition",
  identifier: label,
  label,
  children: [...assemble(pieces)]
})
