import { Schema } from "effect"

const Cell = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
type Cell = typeof Cell.Type
const Cells = Schema.Array(Schema.Array(Cell))

const Count = Schema.Int

/** `size` is that of the whole change, where a part of it is not shown. */
const sizeOf = <const Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct(fields).annotate({ description: "Of the whole change, where a part of it is not shown." }).pipe(
    Schema.optionalKey
  )

export const CellChange = Schema.Struct({
  range: Schema.String.annotate({ description: "The cells in A1 notation." }),
  before: Cells.annotate({ description: "The cells now. Formulas are texts, `null` is an empty cell." }),
  after: Cells.annotate({ description: "The cells afterwards." }),
  size: sizeOf({ cells: Count, characters: Count })
})
export type CellChange = typeof CellChange.Type

/** The longest context on each side of a change, in UTF-16 code units. */
export const maxContext = 120

export const TextChange = Schema.Struct({
  tab: Schema.String.annotate({ description: "The id of the tab." }),
  index: Schema.Int.annotate({ description: "Where the change starts, in UTF-16 code units." }),
  removed: Schema.String,
  inserted: Schema.String,
  context: Schema.Struct({ before: Schema.String, after: Schema.String }).annotate({
    description: `The text around the change, at most ${maxContext} characters each.`
  }).pipe(Schema.optionalKey),
  size: sizeOf({ removed: Count, inserted: Count })
})
export type TextChange = typeof TextChange.Type

export const RequestChange = Schema.Struct({
  request: Schema.Struct({ method: Schema.String, url: Schema.String, body: Schema.Unknown }).annotate({
    description: "The request to the provider, without credentials. A long body is the beginning of its JSON."
  }),
  size: sizeOf({ characters: Count })
})
export type RequestChange = typeof RequestChange.Type

export const Change = Schema.Union([CellChange, TextChange, RequestChange]).annotate({
  identifier: "Change",
  description: "What a write changes: cells, a text of a document, or else the request that is sent."
})
export type Change = typeof Change.Type

export const NotShown = Schema.Struct({ changes: Count, cells: Count, characters: Count }).annotate({
  identifier: "NotShown",
  description: "How much is not shown: whole changes, and cells and characters of what is there afterwards."
})
export type NotShown = typeof NotShown.Type

/** The fields of every response that shows changes. */
export const shownFields = {
  changes: Schema.Array(Change).annotate({ description: "An empty list means that nothing changes." }),
  not_shown: NotShown,
  truncated: Schema.optionalKey(Schema.Literal(true).annotate({ description: "Where anything is not shown." }))
}

export interface ShownChanges {
  readonly changes: ReadonlyArray<Change>
  readonly not_shown: NotShown
  readonly truncated?: true
}
