import type { PhrasingContent, Table } from "mdast"
import type { Block } from "./Blocks.ts"
import { plainTags, plainText } from "./Inlines.ts"

export const serializePlainText = (blocks: ReadonlyArray<Block>): string => blocks.flatMap(linesOf).join("\n")

const linesOf = (block: Block): ReadonlyArray<string> => {
  switch (block.kind) {
    case "gap":
      return block.code ? [""] : []
    case "rule":
      return ["———"]
    case "code":
      return [block.line]
    case "table":
      return tableLines(block.table)
    case "text": {
      const { inlines, marker } = block
      if (marker === undefined) return [plainText(inlines)]
      const mark = marker.number === undefined ? marker.checkbox ? "[ ]" : "-" : `${marker.number}.`
      return [`${"  ".repeat(marker.level)}${mark} ${plainText(inlines)}`]
    }
  }
}

const tableLines = (table: Table): ReadonlyArray<string> =>
  table.children.map(({ children }) =>
    children.map((cell) => plainCell(cell.children).replaceAll("\t", " ")).join("\t")
  )

const plainCell = (nodes: ReadonlyArray<PhrasingContent>): string =>
  nodes.map((node) => {
    if (node.type === "html") return plainHtml[node.value] ?? node.value
    if ("children" in node) return plainCell(node.children)
    if ("value" in node) return node.value
    if (node.type === "footnoteReference") return `[${node.label ?? node.identifier}]`
    return node.type === "image" ? node.alt || "[image]" : ""
  }).join("")

const plainHtml: Readonly<Record<string, string>> = {
  "<br>": " ",
  "<sup>": plainTags.sup,
  "</sup>": ")",
  "<sub>": plainTags.sub,
  "</sub>": ")"
}
