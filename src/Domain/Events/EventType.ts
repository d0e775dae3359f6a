import { Record, Schema } from "effect"
import { keyEvents } from "../Access/ApiKey.ts"
import { grantEvents } from "../Access/Grant.ts"
import { approvalEvents } from "../Calls/Approval.ts"
import { connectionEvents } from "../Connection.ts"
import { datasetEvents } from "../Dataset.ts"

/** The types of events, each with the words for what has happened. */
export const eventWords = {
  ...connectionEvents,
  ...keyEvents,
  ...grantEvents,
  ...approvalEvents,
  ...datasetEvents
}

export const eventTypes = Record.keys(eventWords)

export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type
