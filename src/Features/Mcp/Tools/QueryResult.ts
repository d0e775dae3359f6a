import { Effect, Schema } from "effect"
import { Format } from "../../../Api/Calls/CallApi.ts"
import type { InvalidInput, RateLimited, ResultNotFound } from "../../../Api/Errors.ts"
import { ResultQueries } from "../../../Calls/Results/Query/ResultQueries.ts"
import type { Principal } from "../../../Domain/Access/Principal.ts"
import { partText } from "../../../Domain/Table/PartOf.ts"
import { Lookup } from "../../../Domain/Validation/Fields.ts"
import { decodeArguments } from "./ToolArguments.ts"
import { maxDataLength, type ToolResult, toolResult } from "./ToolResult.ts"

const decode = decodeArguments(Schema.Struct({
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
      const { format = "json", result, sql } = yield* decode(args)
      const form = { format, limit: maxDataLength, isQuoted: true }
      const { body, parts, rows, truncated } = yield* queries.query(principal, result, { sql }, form)
      const [part] = Object.values(parts)
      const text = new TextDecoder().decode(body)
      const data = part === undefined ? text : `${text}\n${partText(part)}\n`
      const json = format === "json"
        ? text
        : JSON.stringify({ data, truncated, ...part === undefined ? {} : { parts } })
      const note = `These are the first ${rows} rows. Ask for fewer columns, or with LIMIT and OFFSET.`
      return toolResult(
        truncated ? `${json.slice(0, -1)},"note":${JSON.stringify(note)}}` : json,
        "Ask for fewer columns."
      )
    })
)
