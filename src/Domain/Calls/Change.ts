import { Schema } from "effect"
import { maxOf } from "../Lists.ts"

const Cell = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
const Cells = Schema.Array(Schema.Array(Cell))

export const CellChange = Schema.Struct({
  range: Schema.String.annotate({ description: "The cells in A1 notation." }),
  before: Cells.annotate({ description: "The cells now. Formulas are texts, `null` is an empty cell." }),
  after: Cells.annotate({ description: "The cells afterwards." })
})
export type CellChange = typeof CellChange.Type

export const TextChange = Schema.Struct({
  tab: Schema.String.annotate({ description: "The id of the tab." }),
  index: Schema.Int.annotate({ description: "Where the change starts, in UTF-16 code units." }),
  removed: Schema.String,
  inserted: Schema.String
})
export type TextChange = typeof TextChange.Type

export const RequestChange = Schema.Struct({
  request: Schema.Struct({ method: Schema.String, url: Schema.String, body: Schema.Unknown }).annotate({
    description: "The request to the provider, without credentials."
  })
})
export type RequestChange = typeof RequestChange.Type

export const Change = Schema.Union([CellChange, TextChange, RequestChange]).annotate({
  identifier: "Change",
  description: "What a write changes: cells, a text of a document, or else the request that is sent."
})
export type Change = typeof Change.Type

const maxCells = 10_000
const maxCharacters = 100_000

/** The first changes, with at most 10,000 cells and 100,000 characters. */
export const truncateChanges = (
  changes: ReadonlyArray<Change>
): { readonly changes: ReadonlyArray<Change>; readonly truncated: boolean } => {
  const kept: Array<Change> = []
  let cells = maxCells
  let characters = maxCharacters
  for (const change of changes) {
    if ("range" in change) {
      const width = maxOf([...change.before, ...change.after].map(({ length }) => length), 1)
      const height = Math.max(change.before.length, change.after.length)
      const rows = rowsWithin(change, Math.min(height, Math.floor(cells / width)), characters)
      if (rows < height) {
        if (rows > 0) kept.push({ ...change, before: change.before.slice(0, rows), after: change.after.slice(0, rows) })
        return { changes: kept, truncated: true }
      }
      cells -= width * height
      characters -= charactersOf(change.before) + charactersOf(change.after)
      kept.push(change)
      continue
    }
    if ("request" in change) {
      const size = JSON.stringify(change).length
      if (size > characters) return { changes: [...kept, shorterRequest(change, characters)], truncated: true }
      characters -= size
      kept.push(change)
      continue
    }
    const { inserted, removed } = change
    if (removed.length + inserted.length > characters) {
      const start = removed.slice(0, characters)
      kept.push({ ...change, removed: start, inserted: inserted.slice(0, characters - start.length) })
      return { changes: kept, truncated: true }
    }
    characters -= removed.length + inserted.length
    kept.push(change)
  }
  return { changes: kept, truncated: false }
}

const rowsWithin = ({ after, before }: CellChange, rows: number, characters: number): number => {
  let left = characters
  for (let row = 0; row < rows; row++) {
    left -= charactersOf([before[row] ?? [], after[row] ?? []])
    if (left < 0) return row
  }
  return rows
}

const charactersOf = (rows: CellChange["before"]): number =>
  rows.flat().reduce((sum: number, cell) => sum + String(cell ?? "").length, 0)

/** A long body is shown as the beginning of its JSON. */
const shorterRequest = ({ request }: RequestChange, characters: number): RequestChange => ({
  request: { ...request, body: JSON.stringify(request.body ?? null).slice(0, Math.max(0, characters)) }
})
