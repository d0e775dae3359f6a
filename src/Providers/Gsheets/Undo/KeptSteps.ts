import { Schema } from "effect"
import { KeptCell } from "./Grids.ts"

const Cells = Schema.Array(Schema.Array(KeptCell))

/** A rectangle of cells, as it was and as the write left it. */
export const KeptCells = Schema.Struct({
  kind: Schema.Literal("cells"),
  file: Schema.String,
  sheetId: Schema.Int,
  title: Schema.String,
  row: Schema.Int,
  column: Schema.Int,
  /** Whether the write changed number formats, which then are restored too. */
  formats: Schema.Boolean,
  before: Cells,
  after: Cells
})
export type KeptCells = typeof KeptCells.Type

/** Rows or columns that the write added at the end of a tab. */
export const KeptGrowth = Schema.Struct({
  kind: Schema.Literal("growth"),
  file: Schema.String,
  sheetId: Schema.Int,
  title: Schema.String,
  dimension: Schema.Literals(["ROWS", "COLUMNS"]),
  from: Schema.Int,
  to: Schema.Int
})
export type KeptGrowth = typeof KeptGrowth.Type

export const KeptTab = Schema.Struct({
  kind: Schema.Literal("tab_added"),
  file: Schema.String,
  sheetId: Schema.Int,
  title: Schema.String
})
export type KeptTab = typeof KeptTab.Type

export const KeptTitle = Schema.Struct({
  kind: Schema.Literal("tab_renamed"),
  file: Schema.String,
  sheetId: Schema.Int,
  before: Schema.String,
  after: Schema.String
})
export type KeptTitle = typeof KeptTitle.Type

export const KeptStep = Schema.Union([KeptCells, KeptGrowth, KeptTab, KeptTitle])
export type KeptStep = typeof KeptStep.Type
