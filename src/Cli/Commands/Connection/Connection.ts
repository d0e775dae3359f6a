import { Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import {
  type Connection,
  ConnectionChange,
  ConnectionFilter,
  CreateConnection,
  NewCredentials
} from "../../../Domain/Connection.ts"
import { PageRequest } from "../../../Domain/Page.ts"
import { adminApi } from "../../ApiClient.ts"
import { reportFailure } from "../../Failure.ts"
import { choiceFlag, optionalFlag, repeatableFlag, requiredFlag, switchFlag, valueOr } from "../../Flags.ts"
import { decodeFlags, readSecret } from "../../Input.ts"
import { pageFlags, printList, providerArgument } from "../../Lists.ts"
import { jsonFlag } from "../../Output.ts"
import { table } from "../../Table.ts"
import { resource, resourceCommands } from "../Resource.ts"
import { resourcesOf, unlimitedFlags } from "../RightsFlags.ts"
import { clientNamesOf } from "./ClientNames.ts"
import { connectionColumns, connectionDetail } from "./Columns.ts"
import { connect } from "./Connect.ts"
import { resources, share } from "./Share.ts"

const credentials = requiredFlag(
  "credentials",
  "JSON: a service account key file, {\"refresh_token\": …} or {\"api_key\": …}; - reads standard input",
  "@file|-"
)

const authType = choiceFlag(
  "auth-type",
  ["oauth", "service_account", "api_key"],
  "Type of the credentials; by default recognized from them"
)

const testFirst = Flag.Boolean("test").pipe(
  Flag.withDescription("Test the credentials first and store nothing that the provider refuses; on by default"),
  Flag.withDefault(true)
)

const account = optionalFlag(
  "account",
  "Name of the account at the provider; by default the address of a service account"
)

const connections = resource<Connection>({
  one: "connection",
  many: "connections",
  columns: connectionColumns(new Map()),
  detail: connectionDetail
})

const create = connections.create({
  description: "Create a connection from credentials",
  examples: [
    {
      command: "oa connection create gsc --label Acme --client cli_… --credentials @key-file.json",
      description: "A Google service account"
    },
    {
      command:
        "pass acme/sitesearch | jq -R '{api_key:.}' | oa connection create sitesearch --label Acme --credentials -",
      description: "An API key from a password manager"
    }
  ],
  flags: {
    provider: providerArgument,
    label: requiredFlag("label", "Display name"),
    credentials,
    authType,
    client: optionalFlag(
      "client",
      "Client that owns the account; without one, only members who see every client see the connection",
      "<client id>"
    ),
    account,
    scopes: repeatableFlag("scope", "Granted scope; repeatable"),
    resources,
    test: testFirst
  },
  schema: CreateConnection,
  fields: Effect.fnUntraced(function*({ account, authType, client, credentials: source, ...flags }) {
    const credentials = yield* readSecret("--credentials", source)
    return {
      ...flags,
      credentials,
      auth_type: Option.getOrElse(authType, () => guessAuthType(credentials)),
      client_id: client,
      external_account: account
    }
  }),
  send: (api, request) => api.managedConnections.create(request)
})

const list = Command.make(
  "list",
  {
    ...pageFlags,
    provider: optionalFlag("provider", "Only connections of this provider"),
    client: optionalFlag("client", "Only connections of this client", "<client id>"),
    status: choiceFlag("status", ["active", "expired", "revoked"], "Only connections with this status")
  },
  Effect.fnUntraced(function*({ client, ...flags }) {
    const query = yield* decodeFlags(Schema.Struct({ ...PageRequest, ...ConnectionFilter }), {
      ...flags,
      client_id: client
    })
    const api = yield* adminApi
    const page = yield* api.managedConnections.list({ query })
    yield* printList(page, {
      rows: page.connections,
      columns: connectionColumns((yield* jsonFlag) ? new Map() : yield* clientNamesOf(api, page.connections)),
      emptyMessage: "No connections; `oa connection create` and `oa connection connect` make them."
    })
  }, reportFailure)
).pipe(
  Command.withDescription("List the connections, newest first"),
  Command.withAlias("ls"),
  Command.withExamples([{
    command: "oa connection list --status expired",
    description: "Accounts that must be reconnected"
  }])
)

const test = connections.ask({
  name: "test",
  description: "Test a connection with the provider's cheapest read",
  send: (api, request) => api.managedConnections.test(request),
  show: ({ latency_ms }, { good }) => `${good("ok")}, ${Math.round(latency_ms)} ms`
})

const reachable = connections.ask({
  name: "resources",
  description: "List what the account of a connection reaches, and what its bounds allow",
  send: (api, request) => api.managedConnections.resources(request),
  show: ({ resources }, style) =>
    resources.length === 0
      ? "The account reaches nothing that can be listed."
      : table(
        [
          { head: "resource", value: ({ resource }) => resource },
          { head: "name", value: ({ name }) => name },
          { head: "allowed", value: ({ allowed }) => allowed ? "yes" : "no" }
        ],
        resources,
        style
      )
})

const revoke = connections.act(
  "revoke",
  "Revoke a connection and delete its credentials; also revokes at the provider where possible",
  (api, request) => api.managedConnections.revoke(request)
)

const change = connections.change({
  description: "Rename a connection, give it to another client, or limit what it may reach",
  examples: [
    { command: "oa connection change con_… --label Acme" },
    { command: "oa connection change con_… --resource gsc:sc-domain:acme.com", description: "Only this site" }
  ],
  flags: {
    label: optionalFlag("label", "New display name"),
    client: optionalFlag("client", "Client that owns the connection from now on", "<client id>"),
    noClient: switchFlag("no-client", "Take the connection from its client: only members who see every client use it"),
    resources,
    everything: unlimitedFlags.everything
  },
  schema: ConnectionChange,
  names: "--label, --client, --no-client, --resource or --all-resources",
  fields: Effect.fnUntraced(function*({ client, everything, label, noClient, resources }) {
    return {
      label,
      client_id: yield* valueOr(noClient, null, Option.getOrUndefined(client), "--client or --no-client"),
      resources: yield* resourcesOf({ everything, resources })
    }
  }),
  send: (api, request) => api.managedConnections.change(request)
})

const reconnect = connections.change({
  name: "reconnect",
  description: "Replace a connection's credentials; it becomes active again and keeps its id",
  examples: [{ command: "oa connection reconnect con_… --credentials @key-file.json" }],
  flags: { credentials, authType, account, test: testFirst },
  schema: NewCredentials,
  fields: Effect.fnUntraced(function*({ account, authType, credentials: source, test }) {
    const credentials = yield* readSecret("--credentials", source)
    return {
      credentials,
      test,
      auth_type: Option.getOrElse(authType, () => guessAuthType(credentials)),
      external_account: account
    }
  }),
  send: (api, request) => api.managedConnections.reconnect(request)
})

export const connection = resourceCommands("connection", "Connections: the provider accounts that calls use", [
  create,
  connect,
  share,
  list,
  reachable,
  test,
  change,
  reconnect,
  revoke
])

const guessAuthType = (credentials: object) =>
  "refresh_token" in credentials ? "oauth" : "api_key" in credentials ? "api_key" : "service_account"
