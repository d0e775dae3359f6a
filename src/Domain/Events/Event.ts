import { Schema } from "effect"
import { ApiKey } from "../Access/ApiKey.ts"
import { Grant } from "../Access/Grant.ts"
import { ApprovalSummary } from "../Calls/Approval.ts"
import { Connection } from "../Connection.ts"
import { Dataset } from "../Dataset.ts"
import { HealthReason } from "../Health.ts"
import { ConnectionId } from "../Ids.ts"
import { idMillis } from "../NewId.ts"

export const ExpiryReason = Schema.Literals(["refresh_refused", "access_refused"])
export type ExpiryReason = typeof ExpiryReason.Type

export const NewEvent = Schema.Union([
  Schema.Struct({
    type: Schema.Literals([
      "connection.created",
      "connection.changed",
      "connection.reconnected",
      "connection.revoked",
      "connection.recovered"
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
    type: Schema.Literal("connection.at_risk"),
    data: Schema.Struct({ connection: Connection, reason: HealthReason })
  }),
  Schema.Struct({
    type: Schema.Literal("connection.token_shared"),
    data: Schema.Struct({ connection: Connection, token_shared_with: Schema.Array(ConnectionId) })
  }),
  Schema.Struct({
    type: Schema.Literals(["key.created", "key.changed", "key.revoked"]),
    data: Schema.Struct({ key: ApiKey })
  }),
  Schema.Struct({
    type: Schema.Literals(["grant.created", "grant.revoked"]),
    data: Schema.Struct({ grant: Grant })
  }),
  Schema.Struct({
    type: Schema.Literals(["approval.requested", "approval.decided"]),
    data: Schema.Struct({ approval: ApprovalSummary })
  }),
  Schema.Struct({
    type: Schema.Literals(["dataset.completed", "dataset.failed"]),
    data: Schema.Struct({ dataset: Dataset })
  })
])
export type NewEvent = typeof NewEvent.Type

export const subjectOf = ({ data }: NewEvent): string => {
  if ("connection" in data) return data.connection.id
  if ("approval" in data) return data.approval.id
  if ("dataset" in data) return data.dataset.id
  return "key" in data ? data.key.id : data.grant.id
}

interface Message {
  readonly type: string
  readonly data: unknown
}

/** The text that receivers get. `data` is JSON. */
export const messageText = (id: string, { data, type }: Message): string =>
  JSON.stringify({ type, timestamp: new Date(idMillis(id)).toISOString(), data })
