import { Effect, Schema } from "effect"
import { Format } from "../../Api/Calls/CallApi.ts"
import { agentTool } from "../../Calls/AgentTools/AgentTools.ts"
import { decodeArguments } from "../../Calls/AgentTools/ToolArguments.ts"
import { partText } from "../../Domain/Table/PartOf.ts"
import { tableFormats } from "../../Domain/Table/TableText.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { ResultQueries } from "./Query/ResultQueries.ts"

const decode = decodeArguments(Schema.Struct({
  result: Lookup,
  sql: Schema.String.check(Schema.isBetweenLength(1, 100_000)),
  format: Schema.optionalKey(Format)
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
      format: { type: "string", enum: ["json", ...tableFormats] }
    },
    required: ["result", "sql"],
    openWorld: false
  }),
  run: Effect.fnUntraced(function*(args, { longest, principal }) {
    const { format = "json", result, sql } = yield* decode(args)
    const form = { format, limit: longest, isQuoted: true }
    const { body, parts, rows, truncated } = yield* queries.query(principal, result, { sql }, form)
    const [part] = Object.values(parts)
    const text = new TextDecoder().decode(body)
    const data = part === undefined ? text : `${text}\n${partText(part)}\n`
    const json = format === "json"
      ? text
      : JSON.stringify({ data, truncated, ...part === undefined ? {} : { parts } })
    const note = `These are the first ${rows} rows. Ask for fewer columns, or with LIMIT and OFFSET.`
    return {
      json: truncated ? `${json.slice(0, -1)},"note":${JSON.stringify(note)}}` : json,
      askForLess: "Ask for fewer columns."
    }
  })
})))
