import { Schema } from "effect"
import { KeyEvent } from "../Domain/Access/ApiKey.ts"
import { GrantEvent } from "../Domain/Access/Grant.ts"
import { ApprovalEvent } from "../Domain/Calls/Approval.ts"
import { ConnectionEvent } from "../Domain/Connection.ts"
import { DatasetEvent } from "../Domain/Dataset.ts"
import { idMillis } from "../Domain/NewId.ts"

export const NewEvent = Schema.Union([ConnectionEvent, KeyEvent, GrantEvent, ApprovalEvent, DatasetEvent])
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
