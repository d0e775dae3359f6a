import { Effect, Schema } from "effect"
import { Format } from "../../Api/Calls/CallApi.ts"
import { agentTool } from "../../Calls/AgentTools/AgentTools.ts"
import { decodeArguments } from "../../Calls/AgentTools/ToolArguments.ts"
import { partText } from "../../Domain/Table/PartOf.ts"
import { tableFormats } from "../../Domain/Table/TableText.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ResultQuery } from "./Contract.ts"
import { ResultQueries } from "./Query/ResultQueries.ts"

const decode = decodeArguments(Schema.Struct({
  result: Lookup,
  sql: Schema.String.check(Schema.isBetweenLength(1, 100_000)),
  format: Schema.optionalKey(Format),
  results: ResultQuery.fields.results
}))

/** Rows beyond the longest result are left out, in whole rows. */
export const queryResultTool = agentTool(Effect.map(ResultQueries, (queries) => ({
  name: "query_result",
  place: 50,
  describe: () => ({
    title: "Ask a kept result with SQL",
    description: "Runs one SELECT of SQLite over a kept result, the table `result`.",
    properties: {
      result: { type: "string", description: "`result.id`." },
      sql: { type: "string" },
      format: { type: "string", enum: ["json", ...tableFormats] },
      results: {
        type: "object",
        additionalProperties: { type: "string" },
        description: "Further tables: ids by name."
      }
    },
    required: ["result", "sql"],
    openWorld: false
  }),
  run: Effect.fnUntraced(function*(args, { longest, principal }) {
    const { format = "json", result, results, sql } = yield* decode(args)
    const form = { format, limit: longest, isQuoted: true }
    const { body, parts, rows, truncated } = yield* queries.query(principal, result, {
      sql,
      ...results === undefined ? {} : { results }
    }, form)
    const found = Object.values(parts).map(partText)
    const text = new TextDecoder().decode(body)
    const data = [text, ...found.map((each) => `${each}\n`)].join("\n")
    const json = format === "json"
      ? text
      : JSON.stringify({ data, truncated, ...found.length === 0 ? {} : { parts } })
    const note = `These are the first ${rows} rows. Ask for fewer columns, or with LIMIT and OFFSET.`
    return {
      json: truncated ? `${json.slice(0, -1)},"note":${JSON.stringify(note)}}` : json,
      askForLess: "Ask for fewer columns."
    }
  })
})))
