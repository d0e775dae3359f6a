import { Schema, Struct } from "effect"
import { ConnectLink } from "../../Domain/ConnectLink.ts"
import { Actor } from "../../Domain/Request/Actor.ts"
import { rowsOf } from "../../Sql/Rows.ts"

export const LinkRow = Schema.Struct({
  ...Struct.omit(ConnectLink.fields, ["status"]),
  created_at: Schema.Date,
  expires_at: Schema.Date,
  ended_at: Schema.NullOr(Schema.Date),
  /** Whether its member, key or agent still has the right to make it. */
  is_held: Schema.Boolean
})
export const links = rowsOf(LinkRow)
export const endedLinks = rowsOf(LinkRow.mapFields(({ id }) => ({ id })))
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
