import { Effect } from "effect"
import { Argument } from "effect/cli"
import { type Client, NewClient } from "../../Domain/Client.ts"
import { requiredFlag, switchFlag } from "../Flags.ts"
import { formatTime } from "../Lists.ts"
import { resource, resourceCommands } from "./Resource.ts"

const clients = resource<Client>({
  one: "client",
  many: "clients",
  columns: [
    { head: "id", value: ({ id }) => id },
    { head: "name", value: ({ name }) => name },
    { head: "created", value: ({ created_at }) => formatTime(created_at) }
  ]
})

export const client = resourceCommands("client", "Clients: the owners of connected accounts", [
  clients.create({
    description: "Create a client: a customer, a team or a project",
    examples: [{ command: "oa client create \"Acme\"" }],
    flags: { name: Argument.String("name").pipe(Argument.withDescription("Display name")) },
    schema: NewClient,
    fields: (input) => Effect.succeed(input),
    send: (api, request) => api.clients.create(request)
  }),
  clients.list({
    fetch: (api, request) => api.clients.list(request),
    rows: (page) => page.clients,
    emptyMessage: "No clients; `oa client create` creates one."
  }),
  clients.change({
    description: "Rename a client",
    flags: { name: requiredFlag("name", "New display name") },
    schema: NewClient,
    fields: (input) => Effect.succeed(input),
    send: (api, request) => api.clients.change(request)
  }),
  clients.delete({
    description: "Delete a client that has no active connections; its connect links end, keys made for it are revoked",
    examples: [{ command: "oa client delete cli_… --revoke", description: "With its connections" }],
    flags: { revoke: switchFlag("revoke", "Revoke the client's connections first, also at their providers") },
    send: (api, request, { revoke }) => api.clients.delete({ ...request, query: revoke ? { revoke: "true" } : {} }),
    after: () =>
      "Its connect links and the keys made for it have ended, and members no longer see it. The log keeps its id."
  })
])
