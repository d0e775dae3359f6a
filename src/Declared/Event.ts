import { Schema } from "effect"
import { KeyEvent } from "../Domain/Access/ApiKey.ts"
import { GrantEvent } from "../Domain/Access/Grant.ts"
import { ConnectionEvent } from "../Domain/Connection.ts"
import { idMillis } from "../Domain/NewId.ts"
import { ApprovalEvent } from "../Features/Approvals/Declared.ts"
import { BulkCallEvent } from "../Features/BulkCalls/Declared.ts"
import { DatasetEvent } from "../Features/Datasets/Declared.ts"
import { HealthEvent } from "../Features/Health/Declared.ts"

export const NewEvent = Schema.Union([
  ConnectionEvent,
  HealthEvent,
  KeyEvent,
  GrantEvent,
  ApprovalEvent,
  DatasetEvent,
  BulkCallEvent
])
export type NewEvent = typeof NewEvent.Type

const decodeSubject = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))

/** The id of what the type begins with: of `data.dataset` for `dataset.completed`. */
export const subjectOf = ({ data, type }: NewEvent): string => {
  const fields = new Map<string, unknown>(Object.entries(data))
  return decodeSubject(fields.get(type.slice(0, type.indexOf(".")))).id
}

interface Message {
  readonly type: string
  readonly data: unknown
}

/** The text that receivers get. `data` is JSON. */
export const messageText = (id: string, { data, type }: Message): string =>
  JSON.stringify({ type, timestamp: new Date(idMillis(id)).toISOString(), data })
