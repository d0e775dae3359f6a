import { Effect, Option } from "effect"
import { Argument } from "effect/cli"
import { type Member, MemberChange, NewMember } from "../../../Domain/Member.ts"
import { featureCommands } from "../../../Features/Commands.ts"
import { choiceFlag, optionalFlag, repeatableFlag, switchFlag, valueOr } from "../../Flags.ts"
import { formatTime } from "../../Lists.ts"
import { idsText, resource, resourceCommands } from "../Resource.ts"
import { askClients } from "./AskClients.ts"

const members = resource<Member>({
  one: "member",
  many: "members",
  columns: [
    { head: "id", value: ({ id }) => id },
    { head: "email", value: ({ email }) => email },
    { head: "name", value: ({ name }) => name ?? "" },
    { head: "role", value: ({ role }) => role },
    { head: "clients", value: ({ client_ids }) => idsText(client_ids) },
    { head: "created", value: ({ created_at }) => formatTime(created_at) }
  ]
})

const name = optionalFlag("name", "Name")

const role = choiceFlag(
  "role",
  ["admin", "member"],
  "An admin manages everything; a member manages its own keys and its clients' connections"
)

const clients = repeatableFlag("client", "Client whose connections the member's keys see; repeatable", "<client id>")

const allClients = switchFlag("all-clients", "Let the member see every client, also future ones")

const clientIds = (allClients: boolean, clients: ReadonlyArray<string> | undefined) =>
  valueOr(allClients, null, clients, "--all-clients or --client")

const create = members.create({
  description: "Create a member, who sees the clients of --client, or every client with --all-clients",
  examples: [
    { command: "oa member create you@example.com --all-clients", description: "Sees every connection" },
    { command: "oa member create root@example.com --role admin", description: "Manages everything" },
    { command: "oa member create partner@example.com --client cli_…", description: "Sees one client's connections" }
  ],
  flags: {
    email: Argument.String("email").pipe(Argument.withDescription("Email address")),
    name,
    role,
    clients,
    allClients
  },
  schema: NewMember,
  fields: Effect.fnUntraced(function*({ allClients, clients, email, name, role }) {
    const isOpen = clients === undefined && !allClients && !Option.contains(role, "admin")
    const client_ids = isOpen ? yield* askClients : yield* clientIds(allClients, clients)
    return { email, name, role, client_ids }
  }),
  send: (api, request) => api.members.create(request),
  note: ({ client_ids, id }) =>
    client_ids?.length === 0 ? `The member sees no client yet: oa member change ${id} --client cli_…` : undefined
})

const list = members.list({
  fetch: (api, request) => api.members.list(request),
  rows: (page) => page.members,
  emptyMessage: "No members; `oa member create` creates one."
})

const change = members.change({
  description: "Change a member; it applies to the member's keys and grants immediately",
  examples: [
    {
      command: "oa member change mem_… --client cli_… --client cli_…",
      description: "Replace the clients that the member sees"
    },
    { command: "oa member change mem_… --all-clients" }
  ],
  flags: { email: optionalFlag("email", "New email address"), name, role, clients, allClients },
  schema: MemberChange,
  names: "--email, --name, --role, --client or --all-clients",
  fields: Effect.fnUntraced(function*({ allClients, clients, email, name, role }) {
    const client_ids = yield* clientIds(allClients, clients)
    return { email, name, role, client_ids }
  }),
  send: (api, request) => api.members.change(request)
})

const remove = members.delete({
  description: "Delete a member; the member's keys and grants stop working",
  flags: {},
  send: (api, request) => api.members.delete(request),
  after: () => "The member's keys and grants are revoked."
})

export const member = resourceCommands("member", "Members: the people who sign in and own API keys", [
  create,
  list,
  change,
  ...featureCommands.member,
  remove
])
