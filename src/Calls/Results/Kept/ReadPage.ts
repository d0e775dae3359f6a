import { Effect } from "effect"
import type { ResultNotFound } from "../../../Api/Errors.ts"
import { parseNumbers } from "../../../Domain/Json/ExactNumber.ts"
import type { Cell, Table } from "../../../Domain/Table/Table.ts"
import type { KeptResults, StoredResult } from "./KeptResults.ts"

/** Parses what the service has stored itself. */
export const parseChunk = (json: string): ReadonlyArray<ReadonlyArray<Cell>> => {
  const rows: unknown = parseNumbers(json)
  return Array.isArray(rows) ? rows : []
}

export const readPage = Effect.fnUntraced(function*(
  results: KeptResults["Service"],
  result: StoredResult,
  range: { readonly offset: number; readonly limit: number }
): Effect.fn.Return<Table, ResultNotFound> {
  const columns = yield* results.columns(result)
  const rows: Array<ReadonlyArray<Cell>> = []
  yield* results.chunks(result, range, ({ firstRow, json }) =>
    Effect.sync(() => {
      const start = Math.max(0, range.offset - firstRow)
      for (const row of parseChunk(json).slice(start, range.offset + range.limit - firstRow)) rows.push(row)
    }))
  return { columns, rows }
})
