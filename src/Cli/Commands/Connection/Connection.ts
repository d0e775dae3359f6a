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
import { reportFailure, usageError } from "../../Failure.ts"
import { choiceFlag, optionalFlag, repeatableFlag, requiredFlag, switchFlag } from "../../Flags.ts"
import { decodeFlags, readSecret } from "../../Input.ts"
import { idArgument, pageFlags, printList, providerArgument } from "../../Lists.ts"
import { jsonFlag, print } from "../../Output.ts"
import { resource, resourceCommands } from "../Resource.ts"
import { resourcesOf, unlimitedFlags } from "../RightsFlags.ts"
import { clientNamesOf } from "./ClientNames.ts"
import { connectionColumns, connectionDetail } from "./Columns.ts"
import { connect } from "./Connect.ts"
import { reachable, resources, share } from "./Share.ts"

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
  fields: Effect.fnUntraced(function*({ account, authType, client, credentials: source, resources, ...flags }) {
    const credentials = yield* readSecret("--credentials", source)
    return {
      ...flags,
      credentials,
      ...(resources.length === 0 ? {} : { resources }),
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

const test = Command.make(
  "test",
  { id: idArgument("connection") },
  Effect.fnUntraced(function*({ id }) {
    const api = yield* adminApi
    const result = yield* api.managedConnections.test({ params: { id } })
    yield* print(result, ({ good }) => `${good("ok")}, ${Math.round(result.latency_ms)} ms`)
  }, reportFailure)
).pipe(Command.withDescription("Test a connection with the provider's cheapest read"))

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
    if (noClient && Option.isSome(client)) return yield* usageError("Pass either --client or --no-client, not both")
    return {
      label,
      client_id: noClient ? null : client,
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
