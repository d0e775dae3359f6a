import { Effect, Schema } from "effect"
import { Format } from "../../../Api/Calls/CallApi.ts"
import { InvalidInput, type RateLimited, type ResultNotFound } from "../../../Api/Errors.ts"
import { ResultQueries } from "../../../Calls/Results/Query/ResultQueries.ts"
import type { Principal } from "../../../Domain/Access/Principal.ts"
import { tableText } from "../../../Domain/Table/TableText.ts"
import { Lookup } from "../../../Domain/Validation/Fields.ts"
import { validator } from "../../../Domain/Validation/Validation.ts"
import { maxDataLength, type ToolResult, valueResult } from "./ToolResult.ts"

const validate = validator(Schema.Struct({
  result: Lookup,
  sql: Schema.String.check(Schema.isBetweenLength(1, 100_000)),
  format: Schema.optionalKey(Format)
}))

/** Rows beyond the longest result are left out, in whole rows. */
export const makeQueryResult = Effect.map(
  ResultQueries,
  (queries) =>
    Effect.fnUntraced(function*(
      principal: Principal,
      args: unknown
    ): Effect.fn.Return<ToolResult, InvalidInput | ResultNotFound | RateLimited> {
      const { format = "json", result, sql } = yield* InvalidInput.fromResult(validate(args))
      const { columns, rows, truncated } = yield* queries.query(principal, result, { sql })
      const valueOf = (count: number) => {
        const table = { columns, rows: rows.slice(0, count) }
        const isCut = truncated || count < rows.length
        return {
          ...format === "json" ? table : { data: tableText(table, format) },
          truncated: isCut,
          ...isCut
            ? { note: `These are the first ${count} rows. Ask for fewer columns, or with LIMIT and OFFSET.` }
            : {}
        }
      }
      let count = rows.length
      let value = valueOf(count)
      for (let length = lengthOf(value); length > maxDataLength && count > 0; length = lengthOf(value)) {
        count = Math.floor(count * Math.min(0.9, maxDataLength / length))
        value = valueOf(count)
      }
      return valueResult(value, "Ask for fewer columns.")
    })
)

const lengthOf = (value: object): number => JSON.stringify(value).length
