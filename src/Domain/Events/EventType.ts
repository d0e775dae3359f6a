import { Schema } from "effect"

export const eventTypes = [
  "connection.created",
  "connection.changed",
  "connection.reconnected",
  "connection.expired",
  "connection.revoked",
  "connection.at_risk",
  "connection.recovered",
  "connection.token_shared",
  "key.created",
  "key.changed",
  "key.revoked",
  "grant.created",
  "grant.revoked",
  "approval.requested",
  "approval.decided",
  "dataset.completed",
  "dataset.failed"
] as const

export const EventType = Schema.Literals(eventTypes)
export type EventType = typeof EventType.Type
