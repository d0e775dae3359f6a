import { Schema } from "effect"
import { type ConnectLink, LinkAccess, LinkUse } from "../../Domain/ConnectLink.ts"
import { ClientId, ConnectionId, ConnectLinkId } from "../../Domain/Ids.ts"
import { Actor } from "../../Domain/Request/Actor.ts"
import { rowsOf } from "../../Sql/Rows.ts"

export const LinkRow = Schema.Struct({
  id: ConnectLinkId,
  client_id: Schema.NullOr(ClientId),
  connection_id: Schema.NullOr(ConnectionId),
  providers: Schema.Array(Schema.String),
  access: LinkAccess,
  label: Schema.NullOr(Schema.String),
  redirect_url: Schema.NullOr(Schema.String),
  connected: Schema.Array(LinkUse),
  created_at: Schema.Date,
  expires_at: Schema.Date,
  ended_at: Schema.NullOr(Schema.Date),
  /** Whether whoever made the link could still make it. */
  is_held: Schema.Boolean
})
export const links = rowsOf(LinkRow)
export const endedLinks = rowsOf(LinkRow.mapFields(({ id }) => ({ id })))
export const counts = rowsOf(Schema.Struct({ links: Schema.Int }))
export const attempts = rowsOf(Schema.Struct({ attempts: Schema.Int, attempts_since: Schema.Date }))
export const opened = rowsOf(
  Schema.Struct({ ...LinkRow.fields, maker: Actor, holder_id: Schema.NullOr(Schema.String) })
)

export const withStatus = (now: number) => ({ is_held, ...link }: typeof LinkRow.Type): ConnectLink => ({
  ...link,
  status: link.ended_at !== null
    ? "ended"
    : link.providers.every((id) => link.connected.some(({ provider }) => provider === id))
    ? "used"
    : link.expires_at.getTime() <= now
    ? "expired"
    : is_held
    ? "open"
    : "ended"
})
