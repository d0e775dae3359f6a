import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { type Client, NewClient } from "../../Domain/Client.ts"
import { adminApi, adminFlags } from "../ApiClient.ts"
import { reportFailure } from "../Failure.ts"
import { requiredFlag, switchFlag } from "../Flags.ts"
import { decodeFlags } from "../Input.ts"
import { formatTime, idArgument, listCommand, printRecord } from "../Lists.ts"
import { print } from "../Output.ts"
import type { Column } from "../Table.ts"

const columns: ReadonlyArray<Column<Client>> = [
  { head: "id", value: ({ id }) => id },
  { head: "name", value: ({ name }) => name },
  { head: "created", value: ({ created_at }) => formatTime(created_at) }
]

const create = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("Display name")) },
  Effect.fnUntraced(function*(input) {
    const payload = yield* decodeFlags(NewClient, input)
    const api = yield* adminApi
    yield* printRecord(columns, yield* api.clients.create({ payload }))
  }, reportFailure)
).pipe(
  Command.withDescription("Create a client: a customer, a team or a project"),
  Command.withExamples([{ command: "oa client create \"Acme\"" }])
)

const list = listCommand("clients", {
  fetchPage: (api, request) => api.clients.list(request),
  rowsOf: (page) => page.clients,
  columns,
  emptyMessage: "No clients; `oa client create` creates one."
})

const change = Command.make(
  "change",
  { id: idArgument("client"), name: requiredFlag("name", "New display name") },
  Effect.fnUntraced(function*({ id, name }) {
    const payload = yield* decodeFlags(NewClient, { name })
    const api = yield* adminApi
    yield* printRecord(columns, yield* api.clients.change({ params: { id }, payload }))
  }, reportFailure)
).pipe(Command.withDescription("Rename a client"))

const remove = Command.make(
  "delete",
  {
    id: idArgument("client"),
    revoke: switchFlag("revoke", "Revoke the client's connections first, also at their providers")
  },
  Effect.fnUntraced(function*({ id, revoke }) {
    const api = yield* adminApi
    yield* api.clients.delete({ params: { id }, query: revoke ? { revoke: "true" } : {} })
    yield* print(
      { id, deleted: true },
      () => `${id} is deleted. Its connect links have ended, and members no longer see it. The log keeps its id.`
    )
  }, reportFailure)
).pipe(
  Command.withDescription("Delete a client that has no active connections; its connect links end"),
  Command.withExamples([{ command: "oa client delete cli_… --revoke", description: "With its connections" }])
)

export const client = Command.make("client").pipe(
  Command.withDescription("Clients: the owners of connected accounts"),
  Command.withSubcommands([create, list, change, remove]),
  Command.withGlobalFlags(adminFlags)
)
