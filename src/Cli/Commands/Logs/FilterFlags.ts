import { Flag } from "effect/cli"
import { choiceFlag, optionalFlag, switchFlag } from "../../Flags.ts"

const text = (name: string, description: string) => optionalFlag(name, description)

const time = (name: string, description: string) =>
  optionalFlag(name, `${description}, such as 2026-11-01 or 2026-11-01T09:30:00Z`, "<time>")

export const filterFlags = {
  provider: text("provider", "Only calls to this provider"),
  outcome: choiceFlag("outcome", ["ok", "error"], "Only calls with this outcome"),
  error_code: text("error", "Only calls that failed with this code"),
  target: text("target", "Only calls of this operation: raw:<endpoint> or tool:<name>"),
  connection_id: text("connection", "Only calls on the connection with this id"),
  client_id: text("client", "Only calls on connections of the client with this id"),
  member_id: text("member", "Only calls of the member with this id"),
  key_id: text("by-key", "Only calls with the API key that has this id"),
  grant_id: text("grant", "Only calls through the grant with this id"),
  cached: Flag.Literals("cached", ["true", "false"]).pipe(
    Flag.map((text) => text === "true"),
    Flag.withDescription("Only calls that the cache answered, or only the others"),
    Flag.optional
  ),
  since: time("since", "Only calls from this time on"),
  until: time("until", "Only calls before this time")
}

export const allFlag = switchFlag("all", "All calls of the service, with the admin token instead of an API key")
