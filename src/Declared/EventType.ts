import { Record, Schema } from "effect"
import { keyEvents } from "../Domain/Access/ApiKey.ts"
import { grantEvents } from "../Domain/Access/Grant.ts"
import { connectionEvents } from "../Domain/Connection.ts"
import { approvalEvents } from "../Features/Approvals/Declared.ts"
import { bulkCallEvents } from "../Features/BulkCalls/Declared.ts"
import { datasetEvents } from "../Features/Datasets/Declared.ts"
import { healthEvents } from "../Features/Health/Declared.ts"

/** The types of events, each with the words for what has happened. */
export const eventWords = {
  ...connectionEvents,
  ...healthEvents,
  ...keyEvents,
  ...grantEvents,
  ...approvalEvents,
  ...datasetEvents,
  ...bulkCallEvents
}

export const eventTypes = Record.keys(eventWords)

export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type
