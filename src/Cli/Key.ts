import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Key, NewKey } from "../Domain/ApiKey.ts"
import { asOperator, operatorFlags } from "./ApiClient.ts"
import { reported } from "./Failure.ts"
import { given } from "./Input.ts"
import { idArgument, listCommand, printOne, time } from "./Lists.ts"
import { asJson, print } from "./Output.ts"
import { type Column, record } from "./Table.ts"

const columns: ReadonlyArray<Column<Key>> = [
  { head: "id", value: ({ id }) => id },
  { head: "name", value: ({ name }) => name },
  { head: "member", value: ({ member_id }) => member_id },
  { head: "access", value: ({ access }) => access, tone: ({ access }) => access === "read_write" ? "warn" : undefined },
  { head: "secret", value: ({ hint }) => `oa_…${hint}` },
  { head: "last used", value: ({ last_used_at }) => time(last_used_at) },
  {
    head: "status",
    value: ({ revoked_at }) => revoked_at === null ? "active" : `revoked ${time(revoked_at)}`,
    tone: ({ revoked_at }) => revoked_at === null ? "good" : "bad"
  }
]

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("What the key is for")),
    member: Flag.String("member").pipe(
      Flag.withMetavar("<member id>"),
      Flag.withDescription("Whose key it is; it has that member's limits")
    ),
    access: Flag.Literals("access", ["read_only", "read_write"]).pipe(
      Flag.withDescription("Whether it may call operations that write"),
      Flag.withDefault("read_only")
    )
  },
  Effect.fnUntraced(function*({ access, member, name }) {
    const payload = yield* given(NewKey, { name, access, member_id: member })
    const api = yield* asOperator
    const created = yield* api.keys.create({ payload })
    yield* print(created, (style) =>
      `${record(columns, created, style)}

${style.bold(created.key)}
The key is shown this once.`)
  }, reported)
).pipe(
  Command.withDescription("Create an API key, read-only unless told otherwise, and show its secret this once"),
  Command.withExamples([
    { command: "oa key create reports --member mem_…" },
    {
      command: "oa key create sync --member mem_… --access read_write --json | jq -r .key > key.txt",
      description: "Into a file, for a script"
    }
  ])
)

const list = listCommand("API keys", {
  ask: (api, request) => api.keys.list(request),
  rowsOf: (answer) => answer.keys,
  columns,
  nothing: "No API keys; `oa key create` makes one."
})

const revoke = Command.make(
  "revoke",
  { id: idArgument("key") },
  Effect.fnUntraced(function*({ id }) {
    const api = yield* asOperator
    yield* printOne(columns, yield* api.keys.revoke({ params: { id } }))
  }, reported)
).pipe(Command.withDescription("Revoke an API key; it stops working at once"))

export const key = Command.make("key").pipe(
  Command.withDescription("API keys: what callers authenticate with"),
  Command.withSubcommands([create, list, revoke]),
  Command.withGlobalFlags([...operatorFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
