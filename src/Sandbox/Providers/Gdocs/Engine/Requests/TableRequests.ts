import { Result } from "effect"
import { refuse } from "../Errors.ts"
import { insertionStyle } from "../Inlines.ts"
import { insertText } from "../Paragraphs.ts"
import { insertionPoint } from "../Ranges.ts"
import { setContent } from "../Segments.ts"
import { deleteColumn, deleteRow, editTable, insertColumn, insertRow, newTable } from "../Tables.ts"
import { replaceAt } from "../Tree.ts"
import { applied, type RequestHandlers } from "./Request.ts"

export const tableRequests = {
  insertTable: (document, { columns = 0, rows = 0, ...insertion }, ids) =>
    Result.gen(function*() {
      if (rows < 1 || columns < 1) return yield* refuse("A table must have at least one row and one column.")
      const point = yield* insertionPoint(document, insertion)
      const { content, index, place, segment } = point
      if (segment?.kind === "footnotes") return yield* refuse("Tables cannot be inserted inside a footnote.")
      const offset = index - place.start
      const around = insertionStyle(place.paragraph.inlines, offset)
      const [above, ...after] = insertText(place.paragraph, offset, "\n", ids)
      const blocks = [...(above === undefined ? [] : [above]), newTable(rows, columns, around), ...after]
      return applied(setContent(document, point, replaceAt(content, place.path, blocks)))
    }),

  insertTableRow: (document, { insertBelow = false, tableCellLocation }) =>
    Result.map(
      editTable(document, tableCellLocation, (table, { row }) => insertRow(table, insertBelow ? row + 1 : row)),
      applied
    ),

  insertTableColumn: (document, { insertRight = false, tableCellLocation }) =>
    Result.map(
      editTable(document, tableCellLocation, (table, { column }) =>
        insertColumn(table, insertRight ? column + 1 : column)),
      applied
    ),

  deleteTableRow: (document, { tableCellLocation }) =>
    Result.map(
      editTable(document, tableCellLocation, (table, { row }) => deleteRow(table, row)),
      applied
    ),

  deleteTableColumn: (document, { tableCellLocation }) =>
    Result.map(
      editTable(document, tableCellLocation, (table, { column }) => deleteColumn(table, column)),
      applied
    )
} satisfies RequestHandlers
