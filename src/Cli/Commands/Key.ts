import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { type ApiKey, NewApiKey } from "../../Domain/ApiKey.ts"
import { adminApi, adminFlags } from "../ApiClient.ts"
import { reportFailure } from "../Failure.ts"
import { decodeFlags } from "../Input.ts"
import { formatTime, idArgument, listCommand, printCreated, printRecord } from "../Lists.ts"
import { jsonFlag } from "../Output.ts"
import type { Column } from "../Table.ts"

const columns: ReadonlyArray<Column<ApiKey>> = [
  { head: "id", value: ({ id }) => id },
  { head: "name", value: ({ name }) => name },
  { head: "member", value: ({ member_id }) => member_id },
  { head: "access", value: ({ access }) => access, tone: ({ access }) => access === "read_write" ? "warn" : undefined },
  { head: "secret", value: ({ hint }) => `oa_…${hint}` },
  { head: "last used", value: ({ last_used_at }) => formatTime(last_used_at) },
  {
    head: "status",
    value: ({ revoked_at }) => revoked_at === null ? "active" : `revoked ${formatTime(revoked_at)}`,
    tone: ({ revoked_at }) => revoked_at === null ? "good" : "bad"
  }
]

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("Purpose of the key")),
    member: Flag.String("member").pipe(
      Flag.withMetavar("<member id>"),
      Flag.withDescription("Member who owns the key; the key sees that member's clients")
    ),
    access: Flag.Literals("access", ["read_only", "read_write"]).pipe(
      Flag.withDescription("read_write allows operations that write"),
      Flag.withDefault("read_only")
    )
  },
  Effect.fnUntraced(function*({ access, member, name }) {
    const payload = yield* decodeFlags(NewApiKey, { name, access, member_id: member })
    const api = yield* adminApi
    const created = yield* api.keys.create({ payload })
    yield* printCreated(columns, created, created.key, "The key is shown only once.")
  }, reportFailure)
).pipe(
  Command.withDescription("Create an API key and show its secret once; read-only by default"),
  Command.withExamples([
    { command: "oa key create reports --member mem_…" },
    {
      command: "oa key create sync --member mem_… --access read_write --json | jq -r .key > key.txt",
      description: "Store the key in a file"
    }
  ])
)

const list = listCommand("API keys", {
  fetchPage: (api, request) => api.keys.list(request),
  rowsOf: (page) => page.keys,
  columns,
  emptyMessage: "No API keys; `oa key create` creates one."
})

const revoke = Command.make(
  "revoke",
  { id: idArgument("key") },
  Effect.fnUntraced(function*({ id }) {
    const api = yield* adminApi
    yield* printRecord(columns, yield* api.keys.revoke({ params: { id } }))
  }, reportFailure)
).pipe(Command.withDescription("Revoke an API key; it stops working immediately"))

export const key = Command.make("key").pipe(
  Command.withDescription("API keys: the credentials of callers"),
  Command.withSubcommands([create, list, revoke]),
  Command.withGlobalFlags([...adminFlags, jsonFlag]),
  Command.provide(FetchHttpClient.layer)
)
