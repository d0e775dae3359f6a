import type { CallFields } from "./Generated/CallOptions.ts"
import type { Change, NotShown, ResultSummary, TablePart } from "./Generated/Resources.ts"
import type { RequestOptions } from "./Request.ts"

export interface CallOptions extends CallFields, RequestOptions {
  /** Makes a write safe to repeat, so that it is retried. 1 to 255 visible ASCII characters. */
  readonly idempotencyKey?: string | undefined
}

export interface CallResponse<Data> {
  readonly call_id: string
  readonly connection_id: string
  readonly cached: boolean
  readonly cost_usd: number
  readonly latency_ms: number
  /** What the answer says about rows that it lacks. Set with `select` or `format`. */
  readonly page?: TablePart
  readonly data: Data
}

export interface KeptResult extends ResultSummary {
  readonly columns: NonNullable<ResultSummary["columns"]>
}

/**
 * The table that `keep: true` keeps, with its first 20 rows: a list of rows, or one text with another `format`. The
 * other fields say which rows the answer lacks.
 */
export interface KeptData extends TablePart {
  readonly result: KeptResult
  readonly preview: unknown
}

/** What a write would change. */
export interface Preview {
  readonly dry_run: true
  readonly changes: ReadonlyArray<Change>
  readonly not_shown: NotShown
  readonly truncated?: true
  /** Whether the key of the call can undo it. */
  readonly undoable: boolean
  readonly undoable_reason?: "not_kept" | "no_inverse" | "too_large"
}

/** What a call returns in `data` with these options. */
export type DataWith<Options, Output> = Options extends { readonly keep: true } ? KeptData
  : Options extends { readonly dryRun: true } ? Preview
  : Options extends { readonly format: Exclude<CallFields["format"], "json" | undefined> } ? string
  : Options extends { readonly select: string } ? unknown
  : Output

export type Operation<Input, Output> = <const Options extends CallOptions = {}>(
  input: Input,
  options?: Options
) => Promise<CallResponse<DataWith<Options, Output>>>

export type OptionalOperation<Input, Output> = <const Options extends CallOptions = {}>(
  input?: Input,
  options?: Options
) => Promise<CallResponse<DataWith<Options, Output>>>

export interface Target {
  readonly provider: string
  readonly endpoint?: string
  readonly tool?: string
  /** Without an idempotency key, only reads are retried. */
  readonly writes: boolean
}

export type MakeOperation = <Input extends object, Output>(target: Target) => OptionalOperation<Input, Output>
