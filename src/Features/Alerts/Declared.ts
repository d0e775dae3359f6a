import { Record } from "effect"

/** The formats for chat services. The format `standard` is for programs. */
export const alertFormats = ["slack", "teams", "google_chat", "discord"] as const

/** The events that a member can get by e-mail, with what such mail is about. */
export const mailTopics = {
  "connection.at_risk": "accounts at risk",
  "connection.expired": "accounts whose access has ended",
  "approval.requested": "writes that wait for approval",
  "dataset.failed": "datasets that could not go on",
  "bulk_call.completed": "answers of many accounts that are ready"
}

export const mailEvents = Record.keys(mailTopics)
