import type { PhrasingContent, Table } from "mdast"
import { plainOf } from "./Atoms.ts"
import type { Piece } from "./Pieces.ts"

/** Text without markdown: a line a paragraph, list marks as text, the cells of a table apart by tabs. */
export const writePlainText = (pieces: ReadonlyArray<Piece>): string => pieces.flatMap(linesOf).join("\n")

const linesOf = (piece: Piece): ReadonlyArray<string> => {
  switch (piece.kind) {
    case "gap":
      return piece.code ? [""] : []
    case "rule":
      return ["———"]
    case "code":
      return [piece.line]
    case "table":
      return tableLines(piece.table)
    case "text": {
      const { atoms, item } = piece
      if (item === undefined) return [plainOf(atoms)]
      const mark = item.number === undefined ? item.checkbox ? "[ ]" : "-" : `${item.number}.`
      return [`${"  ".repeat(item.level)}${mark} ${plainOf(atoms)}`]
    }
  }
}

const tableLines = (table: Table): ReadonlyArray<string> =>
  table.children.map(({ children }) => children.map((cell) => plainCell(cell.children)).join("\t"))

const plainCell = (nodes: ReadonlyArray<PhrasingContent>): string =>
  nodes.map((node) => {
    if (node.type === "html") return node.value === "<br>" ? " " : node.value
    if ("children" in node) return plainCell(node.children)
    if ("value" in node) return node.value
    return node.type === "image" ? node.alt ?? "" : ""
  }).join("")
