import { Result } from "effect"
import { newTable } from "../Defaults.ts"
import { refuse } from "../Errors.ts"
import { insertionStyle } from "../Inlines.ts"
import { insertText } from "../Paragraphs.ts"
import { insertionPoint } from "../Ranges.ts"
import { setContent } from "../Segments.ts"
import { replaceAt } from "../Tree.ts"
import { applied, type RequestHandler } from "./Request.ts"

export const insertTable: RequestHandler<"insertTable"> = (document, { columns = 0, rows = 0, ...insertion }, ids) =>
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
  })
