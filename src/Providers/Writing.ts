import type { Effect, Schema } from "effect"
import type { InvalidInput, ToolCallError } from "../Api/Errors.ts"
import type { Change } from "../Domain/Calls/Change.ts"
import type { UnkeptReason } from "../Domain/Calls/UndoReason.ts"
import type { JsonText } from "../Domain/Json/JsonText.ts"

/** What a write touches, as its endpoint declares it. */
export type Touched = TouchedCells | AppendedCells | EditedFile

/** The values of cells. */
export interface TouchedCells {
  readonly _tag: "Cells"
  readonly file: string
  readonly areas: ReadonlyArray<TouchedArea>
}

export interface TouchedArea {
  readonly range: string
  /** `null` leaves a cell unchanged. Without values, the range is cleared. */
  readonly values: Values | undefined
  /** Whether texts are stored as if typed in. */
  readonly parsed: boolean
}

export type Values = ReadonlyArray<ReadonlyArray<string | number | boolean | null>>

/** Rows below the table that the provider finds in a range. */
export interface AppendedCells {
  readonly _tag: "AppendedCells"
  readonly file: string
  readonly range: string
  readonly values: Values
  readonly parsed: boolean
  readonly insertsRows: boolean
}

/** A list of edits that the provider applies together. */
export interface EditedFile {
  readonly _tag: "Edits"
  readonly file: string
  readonly edits: ReadonlyArray<object>
  /** The revision that the request itself is meant for. */
  readonly revision?: { readonly requiredRevisionId?: string; readonly targetRevisionId?: string }
}

/** What is kept to undo the writes of one call, in their order. */
export type UndoData = ReadonlyArray<Schema.Json>

export interface WritePlan {
  /** `undefined` if the plan only knows the request. An empty list if it changes nothing. */
  readonly changes: ReadonlyArray<Change> | undefined
  /** Reads after the write what an undo needs. Or the reason why the write cannot be undone. */
  readonly keep:
    | ((response: JsonText) => Effect.Effect<UndoData | undefined, ToolCallError | InvalidInput>)
    | UnkeptReason
  /** In a preview, the placeholder response with which a tool continues to its next request. */
  readonly response?: Schema.Json
  /** Changes the body of a request so that the provider refuses it if the file has been changed since the plan. */
  readonly pin?: Effect.Effect<(body: unknown) => unknown, ToolCallError | InvalidInput>
}

export const unknownPlan = (keep: UnkeptReason = "no_inverse"): WritePlan => ({ changes: undefined, keep })

export interface UndoPlan {
  /** What the undo changes. */
  readonly changes: ReadonlyArray<Change>
  /** Values that have changed since the write. If there are any, nothing is written. */
  readonly conflicts: ReadonlyArray<Change>
  readonly run: Effect.Effect<void, ToolCallError>
}
