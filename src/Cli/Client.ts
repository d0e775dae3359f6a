import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import type { Client } from "../Domain/Client.ts"
import { Name } from "../Domain/Fields.ts"
import { asOperator, operatorFlags } from "./ApiClient.ts"
import { reported } from "./Failure.ts"
import { given } from "./Input.ts"
import { listCommand, printOne, time } from "./Lists.ts"
import { asJson } from "./Output.ts"
import type { Column } from "./Table.ts"

const columns: ReadonlyArray<Column<Client>> = [
  { head: "id", value: ({ id }) => id },
  { head: "name", value: ({ name }) => name },
  { head: "created", value: ({ created_at }) => time(created_at) }
]

const create = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("What people call the client")) },
  Effect.fnUntraced(function*(input) {
    const payload = yield* given(Schema.Struct({ name: Name }), input)
    const api = yield* asOperator
    yield* printOne(columns, yield* api.clients.create({ payload }))
  }, reported)
).pipe(
  Command.withDescription("Create a client: a customer, a team, a project"),
  Command.withExamples([{ command: "oa client create \"Acme\"" }])
)

const list = listCommand("clients", {
  ask: (api, request) => api.clients.list(request),
  rowsOf: (answer) => answer.clients,
  columns,
  nothing: "No clients; `oa client create` makes one."
})

export const client = Command.make("client").pipe(
  Command.withDescription("Clients: whose accounts the connections give access to"),
  Command.withSubcommands([create, list]),
  Command.withGlobalFlags([...operatorFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
