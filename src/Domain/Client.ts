import { Schema } from "effect"
import { ClientId } from "./Ids.ts"
import { Name, Timestamp } from "./Validation/Fields.ts"

export const Client = Schema.Struct({ id: ClientId, name: Schema.String, created_at: Timestamp })
  .annotate({ identifier: "ClientResource" })
export type Client = typeof Client.Type

export const NewClient = Schema.Struct({ name: Name })
export type NewClient = typeof NewClient.Type

export const ClientChange = Schema.Struct({ name: Name.pipe(Schema.optionalKey) })
export type ClientChange = typeof ClientChange.Type

export const ClientUses = Schema.Struct({
  connections: Schema.Int.annotate({ description: "Active connections of the client." }),
  links: Schema.Int.annotate({ description: "Open connect links of the client." }),
  members: Schema.Int.annotate({ description: "Members whose `client_ids` have the client." })
})
export type ClientUses = typeof ClientUses.Type

export const clientActions = {
  "client.created": "added the client",
  "client.changed": "changed the client",
  "client.deleted": "deleted the client"
}
