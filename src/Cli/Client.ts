import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Schema } from "effect"
import { Argument, Command } from "effect/unstable/cli"
import type { Client } from "../Api/ClientsApi.ts"
import { Name, Page } from "../Api/Fields.ts"
import { asOperator, operatorFlags } from "./ApiClient.ts"
import { reported } from "./Failure.ts"
import { given } from "./Input.ts"
import { pageFlags, printList, printOne, time } from "./Lists.ts"
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

const list = Command.make(
  "list",
  pageFlags,
  Effect.fnUntraced(function*(flags) {
    const query = yield* given(Schema.Struct(Page), flags)
    const api = yield* asOperator
    const answer = yield* api.clients.list({ query })
    yield* printList(answer, { rows: answer.clients, columns, nothing: "No clients; `oa client create` makes one." })
  }, reported)
).pipe(Command.withDescription("List the clients, newest first"), Command.withAlias("ls"))

export const client = Command.make("client").pipe(
  Command.withDescription("Clients: whose accounts the connections give access to"),
  Command.withSubcommands([create, list]),
  Command.withGlobalFlags([...operatorFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
