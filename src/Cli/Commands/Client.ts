import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import type { Client } from "../../Domain/Client.ts"
import { Name } from "../../Domain/Validation/Fields.ts"
import { adminApi, adminFlags } from "../ApiClient.ts"
import { reportFailure } from "../Failure.ts"
import { decodeFlags } from "../Input.ts"
import { formatTime, listCommand, printRecord } from "../Lists.ts"
import { jsonFlag } from "../Output.ts"
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
    const payload = yield* decodeFlags(Schema.Struct({ name: Name }), input)
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

export const client = Command.make("client").pipe(
  Command.withDescription("Clients: the owners of connected accounts"),
  Command.withSubcommands([create, list]),
  Command.withGlobalFlags([...adminFlags, jsonFlag]),
  Command.provide(FetchHttpClient.layer)
)
