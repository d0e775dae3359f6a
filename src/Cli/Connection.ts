import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ConnectionFilter, CreateConnection, NewCredentials } from "../Domain/Connection.ts"
import { PageRequest } from "../Domain/Page.ts"
import { asOperator, operatorFlags } from "./ApiClient.ts"
import { connect } from "./Connect.ts"
import { connectionColumns, connectionDetail } from "./ConnectionColumns.ts"
import { reported } from "./Failure.ts"
import { given, secretOf } from "./Input.ts"
import { idArgument, pageFlags, printList, printOne } from "./Lists.ts"
import { asJson, print } from "./Output.ts"

const credentials = Flag.String("credentials").pipe(
  Flag.withMetavar("@file|-"),
  Flag.withDescription(
    "JSON: a Google service account's key file, {\"refresh_token\": …} or {\"api_key\": …}; - reads standard input"
  )
)

const authType = Flag.Literals("auth-type", ["oauth", "service_account", "api_key"]).pipe(
  Flag.withDescription("What the credentials are; by default what they look like"),
  Flag.optional
)

const create = Command.make(
  "create",
  {
    provider: Argument.String("provider").pipe(
      Argument.withDescription("A provider's id, as `oa providers list` has it")
    ),
    label: Flag.String("label").pipe(Flag.withDescription("What people call the connection")),
    credentials,
    authType,
    client: Flag.String("client").pipe(
      Flag.withMetavar("<client id>"),
      Flag.withDescription("Whose account it is; without a client only members without limits see it"),
      Flag.optional
    ),
    account: Flag.String("account").pipe(Flag.withDescription("The account's name at the provider"), Flag.optional),
    scopes: Flag.String("scope").pipe(
      Flag.withDescription("A scope that was granted; may be repeated"),
      Flag.atLeast(0)
    )
  },
  Effect.fnUntraced(function*({ account, authType, client, credentials: source, label, provider, scopes }) {
    const credentials = yield* secretOf("--credentials", source)
    const payload = yield* given(CreateConnection, {
      provider,
      label,
      credentials,
      scopes,
      auth_type: Option.getOrElse(authType, () => looksLike(credentials)),
      client_id: client,
      external_account: account
    })
    const api = yield* asOperator
    yield* printOne(connectionDetail, yield* api.managedConnections.create({ payload }))
  }, reported)
).pipe(
  Command.withDescription("Store a connection from credentials at hand"),
  Command.withExamples([
    {
      command: "oa connection create gsc --label Acme --client cli_… --credentials @key-file.json",
      description: "A Google service account"
    },
    {
      command:
        "pass acme/sitesearch | jq -R '{api_key:.}' | oa connection create sitesearch --label Acme --credentials -",
      description: "An API key, straight from a password manager"
    }
  ])
)

const list = Command.make(
  "list",
  {
    ...pageFlags,
    provider: Flag.String("provider").pipe(Flag.withDescription("Only this provider's"), Flag.optional),
    client: Flag.String("client").pipe(
      Flag.withMetavar("<client id>"),
      Flag.withDescription("Only this client's"),
      Flag.optional
    ),
    status: Flag.Literals("status", ["active", "expired", "revoked"]).pipe(
      Flag.withDescription("Only those in this state"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function*({ client, ...flags }) {
    const query = yield* given(Schema.Struct({ ...PageRequest, ...ConnectionFilter }), { ...flags, client_id: client })
    const api = yield* asOperator
    const answer = yield* api.managedConnections.list({ query })
    yield* printList(answer, {
      rows: answer.connections,
      columns: connectionColumns,
      nothing: "No connections; `oa connection create` and `oa connection connect` make them."
    })
  }, reported)
).pipe(
  Command.withDescription("List the connections, newest first"),
  Command.withAlias("ls"),
  Command.withExamples([{
    command: "oa connection list --status expired",
    description: "Those that their owners must connect again"
  }])
)

const test = Command.make(
  "test",
  { id: idArgument("connection") },
  Effect.fnUntraced(function*({ id }) {
    const api = yield* asOperator
    const answer = yield* api.managedConnections.test({ params: { id } })
    yield* print(answer, ({ good }) => `${good("ok")}, ${Math.round(answer.latency_ms)} ms`)
  }, reported)
).pipe(Command.withDescription("Try a connection with the provider's cheapest read"))

const revoke = Command.make(
  "revoke",
  { id: idArgument("connection") },
  Effect.fnUntraced(function*({ id }) {
    const api = yield* asOperator
    yield* printOne(connectionDetail, yield* api.managedConnections.revoke({ params: { id } }))
  }, reported)
).pipe(Command.withDescription("Revoke a connection and forget its credentials, at the provider too where it can be"))

const reconnect = Command.make(
  "reconnect",
  { id: idArgument("connection"), credentials, authType },
  Effect.fnUntraced(function*({ authType, credentials: source, id }) {
    const credentials = yield* secretOf("--credentials", source)
    const payload = yield* given(NewCredentials, {
      credentials,
      auth_type: Option.getOrElse(authType, () => looksLike(credentials))
    })
    const api = yield* asOperator
    yield* printOne(connectionDetail, yield* api.managedConnections.reconnect({ params: { id }, payload }))
  }, reported)
).pipe(
  Command.withDescription("Give a connection new credentials; it is active again under the same id"),
  Command.withExamples([{ command: "oa connection reconnect con_… --credentials @key-file.json" }])
)

export const connection = Command.make("connection").pipe(
  Command.withDescription("Connections: the provider accounts that calls go through"),
  Command.withSubcommands([create, connect, list, test, reconnect, revoke]),
  Command.withGlobalFlags([...operatorFlags, asJson]),
  Command.provide(NodeHttpClient.layerUndici)
)

const looksLike = (credentials: object) =>
  "refresh_token" in credentials ? "oauth" : "api_key" in credentials ? "api_key" : "service_account"
