import { Effect, Option } from "effect"
import type { ToolCallError } from "../../../Api/Errors.ts"
import type { CellsByColumn } from "../../../Domain/Table/Table.ts"
import type { ProviderCalls, RawEndpoint, RawInput } from "../../../Providers/Provider.ts"
import { rowsOfResponse } from "../Rows/ResponseRows.ts"

/** The columns of a response, for short ones. */
export const readTable = <Input extends RawInput>(
  calls: ProviderCalls,
  endpoint: RawEndpoint<Input>,
  input: Input,
  columns: ReadonlyArray<string>
): Effect.Effect<CellsByColumn, ToolCallError> =>
  calls.callWith(
    endpoint,
    input,
    (body) => Effect.sync(() => Option.fromUndefinedOr(rowsOfResponse(body, endpoint.rows?.(input), columns)?.take()))
  )
