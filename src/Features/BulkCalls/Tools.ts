import { Effect, Schema } from "effect"
import { InvalidInput } from "../../Api/Errors.ts"
import { agentTool } from "../../Calls/AgentTools/AgentTools.ts"
import { decodeArguments } from "../../Calls/AgentTools/ToolArguments.ts"
import { Lookup } from "../../Domain/Validation/Fields.ts"
import { BulkCalls } from "./BulkCalls.ts"
import { type BulkCall, type Failure, NewBulkCall } from "./Contract.ts"

/** Less than agents wait for a tool. */
const waitSeconds = 50

const decode = decodeArguments(Schema.Struct({
  ...NewBulkCall.fields,
  provider: Schema.optionalKey(NewBulkCall.fields.provider),
  bulk_call: Schema.optionalKey(Lookup)
}))

/** The failures by cause. The message of a cause says what to do. */
const byCause = (failures: ReadonlyArray<Failure>, counts: BulkCall["failures_by_code"]) =>
  [...Map.groupBy(failures, ({ code }) => code)].map(([code, [first, ...others]]) => ({
    code,
    count: counts[code] ?? others.length + 1,
    message: first?.message ?? "",
    connection_ids: [first, ...others].flatMap((failure) => failure?.connection_id ?? []).slice(0, 20)
  }))

const nextOf = ({ id, result, status }: BulkCall): string => {
  if (status === "queued" || status === "running") {
    return `Call ask_all with bulk_call ${id} alone to wait for the rest.`
  }
  return result === null
    ? "There is no table."
    : `preview has the first rows. Ask for others with query_result: result ${result.id}, and sql such as ` +
      "SELECT client, count(*) FROM result GROUP BY 1. results: { name: id } joins other tables."
}

/** Leaves out rows, then columns, until the text has at most `longest` characters. */
const fitting = (bulk: BulkCall, longest: number, rows: number, columns: number): string => {
  const { failures, failures_by_code, parts, preview, result, ...shown } = bulk
  const all = result?.columns.length ?? 0
  const json = JSON.stringify({
    ...shown,
    result: result && { ...result, columns: result.columns.slice(0, columns) },
    ...columns < all ? { columns_not_shown: all - columns } : {},
    failures: byCause(failures, failures_by_code),
    ...parts === undefined ? {} : { parts: parts.slice(0, 20) },
    next: nextOf(bulk),
    preview: preview.slice(0, rows)
  })
  if (json.length <= longest || rows === 0 && columns === 0) return json
  return rows > 0 ? fitting(bulk, longest, rows >> 1, columns) : fitting(bulk, longest, 0, columns >> 1)
}

export const askAllTool = agentTool(Effect.map(BulkCalls, (bulkCalls) => ({
  name: "ask_all",
  place: 45,
  describe: () => ({
    title: "Ask all accounts",
    description: "Runs one reading operation in many accounts, and makes one table.",
    properties: {
      provider: { type: "string" },
      tool: { type: "string" },
      endpoint: { type: "string" },
      input: { type: "object", description: "With `resources`, without site or property." },
      client_ids: { type: "array", items: { type: "string" } },
      connection_ids: { type: "array", items: { type: "string" } },
      resources: { description: "`all` that each account lists, or a list." },
      select: { type: "string" },
      max_age: { type: "integer" },
      bulk_call: { type: "string" }
    },
    openWorld: true
  }),
  run: Effect.fnUntraced(function*(args, { longest, principal }) {
    const { bulk_call, provider, ...asked } = yield* decode(args)
    if (bulk_call === undefined && provider === undefined) {
      return yield* InvalidInput.at("provider", "Pass it, or `bulk_call` to go on")
    }
    const id = bulk_call ?? (yield* bulkCalls.start(principal, { ...asked, provider: provider ?? "" })).id
    const bulk = yield* bulkCalls.get(principal, id, waitSeconds)
    return {
      json: fitting(bulk, longest, bulk.preview.length, bulk.result?.columns.length ?? 0),
      askForLess: "Ask for fewer columns with `select`."
    }
  })
})))
