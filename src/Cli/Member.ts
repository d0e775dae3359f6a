import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type Member, MemberChange, NewMember } from "../Domain/Member.ts"
import { asOperator, operatorFlags } from "./ApiClient.ts"
import { misuse, reported } from "./Failure.ts"
import { given } from "./Input.ts"
import { idArgument, listCommand, printOne, time } from "./Lists.ts"
import { asJson, print } from "./Output.ts"
import type { Column } from "./Table.ts"

const columns: ReadonlyArray<Column<Member>> = [
  { head: "id", value: ({ id }) => id },
  { head: "email", value: ({ email }) => email },
  { head: "name", value: ({ name }) => name ?? "" },
  {
    head: "clients",
    value: ({ client_ids }) => client_ids === null ? "all" : client_ids.length === 0 ? "none" : client_ids.join("\n")
  },
  { head: "created", value: ({ created_at }) => time(created_at) }
]

const name = Flag.String("name").pipe(Flag.withDescription("The person's name"), Flag.optional)

const clients = Flag.String("client").pipe(
  Flag.withMetavar("<client id>"),
  Flag.withDescription("A client whose connections the member's keys see; may be repeated"),
  Flag.atLeast(0)
)

/** None named: what `otherwise` says. */
const limitsOf = <A>(clients: ReadonlyArray<string>, otherwise: A) => clients.length === 0 ? otherwise : clients

const create = Command.make(
  "create",
  {
    email: Argument.String("email").pipe(Argument.withDescription("The person's e-mail address")),
    name,
    clients
  },
  Effect.fnUntraced(function*({ clients, email, name }) {
    const payload = yield* given(NewMember, { email, name, client_ids: limitsOf(clients, null) })
    const api = yield* asOperator
    yield* printOne(columns, yield* api.members.create({ payload }))
  }, reported)
).pipe(
  Command.withDescription("Create a member, who sees all clients unless some are named"),
  Command.withExamples([
    { command: "oa member create you@example.com", description: "Sees every connection" },
    { command: "oa member create partner@example.com --client cli_…", description: "Sees one client's connections" }
  ])
)

const list = listCommand("members", {
  ask: (api, request) => api.members.list(request),
  rowsOf: (answer) => answer.members,
  columns,
  nothing: "No members; `oa member create` makes one."
})

const change = Command.make(
  "change",
  {
    id: idArgument("member"),
    email: Flag.String("email").pipe(Flag.withDescription("Another e-mail address"), Flag.optional),
    name,
    clients,
    allClients: Flag.Boolean("all-clients").pipe(
      Flag.withDescription("Lift the member's limits"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*({ allClients, clients, email, id, name }) {
    if (allClients && clients.length > 0) return yield* misuse("--all-clients and --client exclude each other")
    const client_ids = allClients ? null : limitsOf(clients, undefined)
    const payload = yield* given(MemberChange, { email, name, client_ids })
    if (Object.keys(payload).length === 0) {
      return yield* misuse("Nothing to change: pass --email, --name, --client or --all-clients")
    }
    const api = yield* asOperator
    yield* printOne(columns, yield* api.members.change({ params: { id }, payload }))
  }, reported)
).pipe(
  Command.withDescription("Change a member; its keys have the new limits at once"),
  Command.withExamples([
    { command: "oa member change mem_… --client cli_… --client cli_…", description: "Replaces the clients it sees" },
    { command: "oa member change mem_… --all-clients" }
  ])
)

const remove = Command.make(
  "delete",
  { id: idArgument("member") },
  Effect.fnUntraced(function*({ id }) {
    const api = yield* asOperator
    yield* api.members.delete({ params: { id } })
    yield* print({ id, deleted: true }, () => `${id} is deleted; its keys no longer work.`)
  }, reported)
).pipe(Command.withDescription("Delete a member; its keys stop working"))

export const member = Command.make("member").pipe(
  Command.withDescription("Members: people to whom API keys belong"),
  Command.withSubcommands([create, list, change, remove]),
  Command.withGlobalFlags([...operatorFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)
