import { Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { type Member, MemberChange, NewMember } from "../../../Domain/Member.ts"
import { featureCommands } from "../../../Features/Commands.ts"
import { adminApi, adminFlags } from "../../ApiClient.ts"
import { reportFailure, usageError } from "../../Failure.ts"
import { choiceFlag, optionalFlag, repeatableFlag, switchFlag } from "../../Flags.ts"
import { decodeChange, decodeFlags } from "../../Input.ts"
import { formatTime, idArgument, listCommand, printRecord } from "../../Lists.ts"
import { print, printNote } from "../../Output.ts"
import type { Column } from "../../Table.ts"
import { askClients } from "./AskClients.ts"

const columns: ReadonlyArray<Column<Member>> = [
  { head: "id", value: ({ id }) => id },
  { head: "email", value: ({ email }) => email },
  { head: "name", value: ({ name }) => name ?? "" },
  { head: "role", value: ({ role }) => role },
  {
    head: "clients",
    value: ({ client_ids }) => client_ids === null ? "all" : client_ids.length === 0 ? "none" : client_ids.join("\n")
  },
  { head: "created", value: ({ created_at }) => formatTime(created_at) }
]

const name = optionalFlag("name", "Name")

const role = choiceFlag(
  "role",
  ["admin", "member"],
  "An admin manages everything; a member manages its own keys and its clients' connections"
)

const clients = repeatableFlag("client", "Client whose connections the member's keys see; repeatable", "<client id>")

const allClients = switchFlag("all-clients", "Let the member see every client, also future ones")

const clientIds = Effect.fnUntraced(function*(allClients: boolean, clients: ReadonlyArray<string>) {
  if (allClients && clients.length > 0) return yield* usageError("Pass either --all-clients or --client, not both")
  return allClients ? null : clients.length === 0 ? undefined : clients
})

const create = Command.make(
  "create",
  {
    email: Argument.String("email").pipe(Argument.withDescription("Email address")),
    name,
    role,
    clients,
    allClients
  },
  Effect.fnUntraced(function*({ allClients, clients, email, name, role }) {
    const isOpen = clients.length === 0 && !allClients && !Option.contains(role, "admin")
    const client_ids = isOpen ? yield* askClients : yield* clientIds(allClients, clients)
    const payload = yield* decodeFlags(NewMember, { email, name, role, client_ids })
    const api = yield* adminApi
    const created = yield* api.members.create({ payload })
    yield* printRecord(columns, created)
    if (created.client_ids?.length === 0) {
      yield* printNote(`The member sees no client yet: oa member change ${created.id} --client cli_…`)
    }
  }, reportFailure)
).pipe(
  Command.withDescription("Create a member, who sees the clients of --client, or every client with --all-clients"),
  Command.withExamples([
    { command: "oa member create you@example.com --all-clients", description: "Sees every connection" },
    { command: "oa member create root@example.com --role admin", description: "Manages everything" },
    { command: "oa member create partner@example.com --client cli_…", description: "Sees one client's connections" }
  ])
)

const list = listCommand("members", {
  fetchPage: (api, request) => api.members.list(request),
  rowsOf: (page) => page.members,
  columns,
  emptyMessage: "No members; `oa member create` creates one."
})

const change = Command.make(
  "change",
  {
    id: idArgument("member"),
    email: optionalFlag("email", "New email address"),
    name,
    role,
    clients,
    allClients
  },
  Effect.fnUntraced(function*({ allClients, clients, email, id, name, role }) {
    const client_ids = yield* clientIds(allClients, clients)
    const names = "--email, --name, --role, --client or --all-clients"
    const payload = yield* decodeChange(MemberChange, names, { email, name, role, client_ids })
    const api = yield* adminApi
    yield* printRecord(columns, yield* api.members.change({ params: { id }, payload }))
  }, reportFailure)
).pipe(
  Command.withDescription("Change a member; it applies to the member's keys and grants immediately"),
  Command.withExamples([
    {
      command: "oa member change mem_… --client cli_… --client cli_…",
      description: "Replace the clients that the member sees"
    },
    { command: "oa member change mem_… --all-clients" }
  ])
)

const remove = Command.make(
  "delete",
  { id: idArgument("member") },
  Effect.fnUntraced(function*({ id }) {
    const api = yield* adminApi
    yield* api.members.delete({ params: { id } })
    yield* print({ id, deleted: true }, () => `${id} is deleted. The member's keys and grants are revoked.`)
  }, reportFailure)
).pipe(Command.withDescription("Delete a member; the member's keys and grants stop working"))

export const member = Command.make("member").pipe(
  Command.withDescription("Members: the people who sign in and own API keys"),
  Command.withSubcommands([create, list, change, ...featureCommands.member, remove]),
  Command.withGlobalFlags(adminFlags)
)
