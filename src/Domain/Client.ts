import { Schema } from "effect"
import { Timestamp } from "./Fields.ts"
import { ClientId } from "./Ids.ts"

export const Client = Schema.Struct({ id: ClientId, name: Schema.String, created_at: Timestamp })
  .annotate({ identifier: "ClientResource" })
export type Client = typeof Client.Type
