import { Duration, Schema } from "effect"
import { ClientId, ConnectionId, ConnectLinkId } from "./Ids.ts"
import { Lookup, Name, storable, Timestamp } from "./Validation/Fields.ts"

export const defaultLifetime = Duration.days(7)

export const LinkAccess = Schema.Literals(["read_only", "read_write"]).annotate({
  description: "The OAuth scopes to request: the provider's scopes for reading, or also those for writing."
})
export type LinkAccess = typeof LinkAccess.Type

export const LinkUse = Schema.Struct({ provider: Schema.String, connection_id: ConnectionId, at: Timestamp })
export type LinkUse = typeof LinkUse.Type

export const ConnectLink = Schema.Struct({
  id: ConnectLinkId,
  status: Schema.Literals(["open", "used", "expired", "ended"]).annotate({
    description: "`open`: the link works. `used`: all of its providers are connected."
  }),
  client_id: Schema.NullOr(ClientId),
  connection_id: Schema.NullOr(ConnectionId).annotate({ description: "The connection that the link reconnects." }),
  providers: Schema.Array(Schema.String),
  access: LinkAccess,
  label: Schema.NullOr(Schema.String),
  redirect_url: Schema.NullOr(Schema.String),
  connected: Schema.Array(LinkUse).annotate({ description: "The connections made with the link, oldest first." }),
  created_at: Timestamp,
  expires_at: Timestamp,
  ended_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "ConnectLink" })
export type ConnectLink = typeof ConnectLink.Type

export const CreatedConnectLink = Schema.Struct({
  ...ConnectLink.fields,
  url: Schema.String.annotate({
    description: "The page for the account's owner. It is returned only once. Anyone who has it can connect an account."
  })
}).annotate({ identifier: "CreatedConnectLink" })
export type CreatedConnectLink = typeof CreatedConnectLink.Type

export const NewConnectLink = Schema.Struct({
  client_id: Lookup.pipe(Schema.optionalKey).annotateKey({ description: "Required without `connection_id`." }),
  providers: Schema.Array(Schema.String).check(Schema.isNonEmpty(), Schema.isMaxLength(50)).annotate({
    description: "Each can be connected once. By default all providers that the service is set up for."
  }).pipe(Schema.optionalKey),
  connection_id: Lookup.pipe(Schema.optionalKey).annotateKey({
    description: "The link only reconnects this connection, which keeps its id."
  }),
  access: LinkAccess.annotate({ default: "read_only" }).pipe(Schema.optionalKey),
  label: Name.annotate({
    description: "The name of each new connection. By default the names of the client and of the provider."
  }).pipe(Schema.optionalKey),
  redirect_url: Schema.String.check(Schema.isMaxLength(2000), storable).annotate({
    format: "uri",
    description:
      "The URL to which the person returns after the last provider, or earlier by choice. The query has `status` " +
      "(`connected`, `denied` or `failed`), `connection_ids`, and `provider` and `connection_id` of the last one. " +
      "Its origin must be in `CONNECT_REDIRECT_ORIGINS`."
  }).pipe(Schema.optionalKey),
  expires_in: Schema.Int.check(Schema.isBetween({ minimum: 300, maximum: 2_592_000 })).annotate({
    description: "Seconds until the link ends.",
    default: Duration.toSeconds(defaultLifetime)
  }).pipe(Schema.optionalKey)
})
export type NewConnectLink = typeof NewConnectLink.Type
