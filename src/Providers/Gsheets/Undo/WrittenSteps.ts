import { Schema } from "effect"
import { GridCell } from "./Grids.ts"

const onTab = { file: Schema.String, sheetId: Schema.Int }

const Cells = Schema.Array(Schema.Array(GridCell))

/** A rectangle of cells, as it was and as the write left it. */
export const ReplacedCells = Schema.Struct({
  kind: Schema.Literal("cells"),
  ...onTab,
  title: Schema.String,
  row: Schema.Int,
  column: Schema.Int,
  /** Whether the write changed number formats, which then are restored too. */
  formats: Schema.Boolean,
  before: Cells,
  after: Cells
})
export type ReplacedCells = typeof ReplacedCells.Type

/** Rows or columns that the write added at the end of a tab. */
export const AddedCells = Schema.Struct({
  kind: Schema.Literal("growth"),
  ...onTab,
  title: Schema.String,
  dimension: Schema.Literals(["ROWS", "COLUMNS"]),
  from: Schema.Int,
  to: Schema.Int
})
export type AddedCells = typeof AddedCells.Type

export const WrittenStep = Schema.Union([
  ReplacedCells,
  AddedCells,
  Schema.Struct({ kind: Schema.Literal("tab_added"), ...onTab, title: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("tab_renamed"), ...onTab, before: Schema.String, after: Schema.String })
])
export type WrittenStep = typeof WrittenStep.Type
