import { Schema } from "effect"
import { ClientId } from "./Ids.ts"
import { Timestamp } from "./Validation/Fields.ts"

export const Client = Schema.Struct({ id: ClientId, name: Schema.String, created_at: Timestamp })
  .annotate({ identifier: "ClientResource" })
export type Client = typeof Client.Type
