import { Effect, Option, Schema } from "effect"
import type { Command } from "effect/cli"
import type { CallRequest } from "../../Api/Calls/CallApi.ts"
import { toCell } from "../../Domain/Table/Table.ts"
import { type TableFormat, tableHead, tableLine } from "../../Domain/Table/TableText.ts"
import { keyApi } from "../ApiClient.ts"
import { CommandFailed } from "../ExitCode.ts"
import { optionalFlag, repeatableFlag, switchFlag } from "../Flags.ts"
import { decodeFlags } from "../Input.ts"
import { formatJson, jsonFlag, print, printData, printNote, printProgress } from "../Output.ts"

export const manyFlags = {
  all: switchFlag("all", "Ask every account of the provider that the key sees, and print one table"),
  clients: repeatableFlag("client", "Ask the accounts of this client; can be given again", "<client id>"),
  resources: optionalFlag("resources", "Ask for `all` resources that each account lists, or for these", "all|<list>")
}

type Many = Command.Command.Config.Infer<typeof manyFlags>

export const isMany = ({ all, clients, resources }: Many): boolean =>
  all || clients !== undefined || Option.isSome(resources)

const Names = Schema.Array(Schema.NonEmptyString)

const Asked = Schema.Struct({
  connection_ids: Schema.optionalKey(Names),
  client_ids: Schema.optionalKey(Names),
  resources: Schema.optionalKey(Schema.Union([Schema.Literal("all"), Names]))
})

/** How long one request waits in seconds, so that the progress moves. */
const wait = 2

const pageRows = 10_000

/** Runs an operation through many connections, and prints their table and how many have failed. */
export const callMany = Effect.fnUntraced(function*(
  { connection_id, endpoint, input, max_age, provider, select, tool }: CallRequest,
  { clients, resources }: Many,
  format: TableFormat
) {
  const api = yield* keyApi
  const asked = yield* decodeFlags(Asked, {
    connection_ids: connection_id === undefined ? undefined : [connection_id],
    client_ids: clients,
    resources: Option.map(resources, (text) => text === "all" ? text : text.split(","))
  })
  let bulk = yield* api.bulkCalls.start({
    payload: {
      provider,
      ...endpoint === undefined ? {} : { endpoint },
      ...tool === undefined ? {} : { tool },
      ...input === undefined ? {} : { input },
      ...max_age === undefined ? {} : { max_age },
      ...select === undefined ? {} : { select },
      ...asked
    }
  })
  const params = { id: bulk.id }
  const ended = Effect.gen(function*() {
    while (bulk.status === "queued" || bulk.status === "running") {
      yield* printProgress(`${bulk.done} of ${bulk.total} done, ${bulk.failed} failed …`)
      bulk = yield* api.bulkCalls.get({ params, query: { wait } })
    }
  })
  yield* Effect.onInterrupt(ended, () => Effect.ignore(api.bulkCalls.cancel({ params })))
  yield* printProgress("")
  const { result } = bulk
  if (yield* jsonFlag) yield* print(bulk, () => formatJson(bulk, 2))
  else if (result !== null) {
    yield* printData(tableHead(result.columns, format))
    for (let offset = 0; offset < result.rows;) {
      const { rows } = yield* api.results.get({ params: { id: result.id }, query: { offset, limit: pageRows } })
      if (rows.length === 0) break
      yield* printData(rows.map((row) => tableLine(row.map(toCell), format)).join(""))
      offset += rows.length
    }
  }
  const kept = result === null ? "" : `; ${result.rows} rows are kept as ${result.id}, see \`oa results\``
  yield* printNote(`${bulk.id}: ${bulk.total - bulk.failed} of ${bulk.total} succeeded${kept}`)
  for (const [code, count] of Object.entries(bulk.failures_by_code)) {
    const first = bulk.failures.find((failure) => failure.code === code)
    yield* printNote(`${count} failed with ${code}${first === undefined ? "" : `: ${first.message}`}`)
  }
  if (bulk.partial !== undefined) {
    yield* printNote(`Rows are missing in ${bulk.partial} of the answers; --json lists these as \`parts\``)
  }
  if (bulk.truncated) yield* printNote("Rows are missing: the table has as many as it may have")
  if (bulk.failed > 0 || bulk.truncated || bulk.status === "cancelled") {
    return yield* new CommandFailed({ exit: "incomplete" })
  }
})
