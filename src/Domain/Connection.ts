import { type Redacted, Schema, Struct } from "effect"
import { Resources } from "./Access/Resource.ts"
import { Health } from "./Health.ts"
import { ClientId, ConnectionId } from "./Ids.ts"
import { Lookup, Name, Scope, Timestamp } from "./Validation/Fields.ts"

export const AuthType = Schema.Literals(["oauth", "service_account", "api_key"]).annotate({
  description: "How the connection authenticates to the provider."
})
export type AuthType = typeof AuthType.Type

export const ConnectionStatus = Schema.Literals(["active", "expired", "revoked"])
export type ConnectionStatus = typeof ConnectionStatus.Type

const ConnectionErrorCode = Schema.Literals(["credentials_expired", "credentials_rejected", "upstream_unreachable"])

export const LastError = Schema.Struct({ code: ConnectionErrorCode, at: Timestamp })
export type LastError = typeof LastError.Type

export const isConnectionErrorCode = Schema.is(ConnectionErrorCode)

export const Connection = Schema.Struct({
  id: ConnectionId,
  provider: Schema.String,
  auth_type: AuthType,
  label: Schema.String,
  client_id: Schema.NullOr(ClientId),
  external_account: Schema.NullOr(Schema.String).annotate({ description: "Identity of the linked provider account." }),
  scopes: Schema.Array(Schema.String),
  status: ConnectionStatus,
  last_error: Schema.NullOr(LastError).annotate({
    description: "Why the last call or test failed, if the connection is at fault; null after the next success."
  }),
  health: Health,
  resources: Resources,
  last_used_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}).annotate({ identifier: "Connection" })
export type Connection = typeof Connection.Type

export const ManagedConnection = Schema.Struct({
  ...Connection.fields,
  parent_id: Schema.NullOr(ConnectionId).annotate({
    description: "The connection whose credentials a derived connection uses. Its status, scopes, account and " +
      "`last_error` are those of its parent, whose `resources` limit it too. So is its health, but for lost resources."
  })
}).annotate({ identifier: "ManagedConnection" })
export type ManagedConnection = typeof ManagedConnection.Type

export const AccountResource = Schema.Struct({
  resource: Schema.String,
  name: Schema.String.annotate({ description: "For people." }),
  allowed: Schema.Boolean.annotate({ description: "Whether the bounds of the connection allow it." })
})
export type AccountResource = typeof AccountResource.Type

export interface StoredConnection extends ManagedConnection {
  readonly parent_resources: Resources
}

export const toConnection: (stored: StoredConnection) => Connection = Struct.omit(["parent_id", "parent_resources"])

export const toManagedConnection: (stored: StoredConnection) => ManagedConnection = Struct.omit(["parent_resources"])

export const ConnectionFilter = {
  provider: Lookup.pipe(Schema.optionalKey),
  client_id: Lookup.pipe(Schema.optionalKey),
  status: ConnectionStatus.pipe(Schema.optionalKey)
}
export interface ConnectionFilter extends Schema.Struct.Type<typeof ConnectionFilter> {}

export interface NewConnection {
  readonly provider: string
  readonly authType: AuthType
  readonly credentials: Redacted.Redacted
  readonly clientId: ClientId | null
  readonly label: string
  readonly externalAccount: string | null
  /** The account that the identity provider named at the sign-in. Credentials without a sign-in have none. */
  readonly signedInAs?: string | null
  readonly scopes: ReadonlyArray<string>
  /** The scopes that the sign-in asked for, if that is known. */
  readonly askedScopes?: ReadonlyArray<string>
  readonly resources?: Resources
}

export interface ConnectionUpdate {
  readonly label?: string | undefined
  readonly clientId?: ClientId | null | undefined
  readonly resources?: Resources | undefined
}

export interface NewDerivedConnection {
  readonly parentId: ConnectionId
  readonly clientId: ClientId | null
  readonly label: string
  readonly resources: Resources
}

export const ConnectionChoice = Connection.mapFields(({ external_account, id, label, last_error }) => ({
  id,
  label,
  client: Schema.NullOr(Schema.Struct({ id: ClientId, name: Schema.String })),
  external_account,
  last_error
}))

const Credentials = Schema.Record(Schema.String, Schema.Json).annotate({
  description:
    "By `auth_type`: `oauth` `{ refresh_token, access_token?, expires_at? }`, `service_account` the Google " +
    "key file as it is (plus `subject?`), `api_key` `{ api_key }`. Never returned."
})

const TestFirst = Schema.Boolean.annotate({
  description: "Test the credentials first. If the test fails, nothing is stored and its error is the answer.",
  default: false
}).pipe(Schema.optionalKey)

const neededAlone = { description: "Required without `parent_id`, and left out with it." }

export const CreateConnection = Schema.Struct({
  parent_id: Lookup.pipe(Schema.optionalKey).annotateKey({
    description: "Derives a connection that uses the credentials of this one, for some of its resources."
  }),
  provider: Schema.String.pipe(Schema.optionalKey).annotateKey(neededAlone),
  auth_type: AuthType.pipe(Schema.optionalKey).annotateKey(neededAlone),
  credentials: Credentials.pipe(Schema.optionalKey).annotateKey(neededAlone),
  client_id: Schema.NullOr(Lookup).pipe(Schema.optionalKey),
  label: Name,
  external_account: Schema.NullOr(Name).pipe(Schema.optionalKey),
  scopes: Schema.Array(Scope).pipe(Schema.optionalKey),
  resources: Resources.pipe(Schema.optionalKey),
  test: TestFirst
})
export type CreateConnection = typeof CreateConnection.Type

export const NewCredentials = Schema.Struct({
  credentials: Credentials,
  auth_type: AuthType.pipe(Schema.optionalKey),
  external_account: Schema.NullOr(Name).annotate({
    description: "The account of these credentials. By default the address of a service account, else `null`: other " +
      "credentials do not name their account."
  }).pipe(Schema.optionalKey),
  test: TestFirst
})
export type NewCredentials = typeof NewCredentials.Type

export const ConnectionChange = Schema.Struct({
  label: Name.pipe(Schema.optionalKey),
  client_id: Schema.NullOr(Lookup).pipe(Schema.optionalKey).annotateKey({
    description: "The client that owns the connection from now on. Open links and sign-ins that reconnect it end."
  }),
  resources: Resources.pipe(Schema.optionalKey)
})
export type ConnectionChange = typeof ConnectionChange.Type

export const ConnectRequest = Schema.Struct({
  connection_id: Lookup.pipe(Schema.optionalKey).annotateKey({
    description: "Reconnects this connection, which keeps its id, name and client."
  }),
  provider: Schema.String.pipe(Schema.optionalKey).annotateKey({ description: "Required without `connection_id`." }),
  client_id: Schema.NullOr(Lookup).pipe(Schema.optionalKey),
  label: Name.pipe(Schema.optionalKey).annotateKey({ description: "Required without `connection_id`." }),
  scopes: Schema.Array(Scope).check(Schema.isNonEmpty()).annotate({
    description:
      "OAuth scopes to request. Defaults to those of `connection_id`, or to the provider's read and write scopes."
  }).pipe(Schema.optionalKey)
})
export type ConnectRequest = typeof ConnectRequest.Type

export const connectionActions = {
  "connection.created": "connected",
  "connection.changed": "changed the connection",
  "connection.credentials_replaced": "reconnected",
  "connection.expired": "found the access ended of",
  "connection.revoked": "revoked the connection",
  "connection.token_shared": "stored a token that another client has, with",
  "connection.tested": "tested"
}

export const connectionEvents = {
  "connection.created": "an account was connected",
  "connection.changed": "a connection got another name or client",
  "connection.reconnected": "an account was connected again",
  "connection.expired": "an account's access ended; with a link to reconnect it",
  "connection.revoked": "a connection was revoked",
  "connection.token_shared": "a connection got a token that another client's connection has"
}

export const ExpiryReason = Schema.Literals(["refresh_refused", "access_refused"])
export type ExpiryReason = typeof ExpiryReason.Type

export const ConnectionEvent = Schema.Union([
  Schema.Struct({
    type: Schema.Literals([
      "connection.created",
      "connection.changed",
      "connection.reconnected",
      "connection.revoked"
    ]),
    data: Schema.Struct({ connection: Connection })
  }),
  Schema.Struct({
    type: Schema.Literal("connection.expired"),
    data: Schema.Struct({
      connection: Connection,
      reason: ExpiryReason,
      connect_url: Schema.Null.pipe(Schema.optionalKey)
    })
  }),
  Schema.Struct({
    type: Schema.Literal("connection.token_shared"),
    data: Schema.Struct({ connection: Connection, token_shared_with: Schema.Array(ConnectionId) })
  })
])
