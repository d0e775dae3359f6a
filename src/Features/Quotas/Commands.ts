import { Effect, Record } from "effect"
import { Command } from "effect/cli"
import { callerFlags, keyApi } from "../../Cli/ApiClient.ts"
import { reportFailure } from "../../Cli/Failure.ts"
import { optionalFlag } from "../../Cli/Flags.ts"
import { formatTime } from "../../Cli/Lists.ts"
import { print } from "../../Cli/Output.ts"
import { type Column, table } from "../../Cli/Table.ts"
import type { QuotaUse } from "./Contract.ts"

const columns: ReadonlyArray<Column<QuotaUse>> = [
  { head: "quota", value: ({ name }) => name },
  { head: "for", value: ({ connection_id, resource }) => resource ?? connection_id ?? "the project" },
  {
    head: "left",
    value: ({ limit, remaining }) => `${remaining} of ${limit}`,
    tone: ({ limit, remaining }) => remaining * 10 < limit ? "bad" : undefined
  },
  { head: "used", value: ({ used }) => `${used}` },
  { head: "resets", value: ({ resets_at }) => formatTime(resets_at) }
]

export const quotas = Command.make(
  "quotas",
  {
    provider: optionalFlag("provider", "Only of this provider"),
    connection_id: optionalFlag("connection", "Only of this connection")
  },
  Effect.fnUntraced(function*(flags) {
    const api = yield* keyApi
    const found = yield* api.quotas.list({ query: Record.getSomes(flags) })
    yield* print(
      found,
      (style) =>
        found.quotas.length === 0 ? "No call has used a quota in its window." : table(columns, found.quotas, style)
    )
  }, reportFailure)
).pipe(
  Command.withDescription("Show what is left of the providers' quotas, on connections that the key can see"),
  Command.withExamples([{ command: "oa quotas --provider gsheets" }]),
  Command.withGlobalFlags(callerFlags)
)
