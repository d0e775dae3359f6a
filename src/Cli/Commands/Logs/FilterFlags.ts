import { Flag } from "effect/cli"

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const time = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("<time>"),
    Flag.withDescription(`${description}, such as 2026-11-01 or 2026-11-01T09:30:00Z`),
    Flag.optional
  )

export const filterFlags = {
  provider: text("provider", "Only calls to this provider"),
  outcome: Flag.Literals("outcome", ["ok", "error"]).pipe(
    Flag.withDescription("Only calls with this outcome"),
    Flag.optional
  ),
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

export const allFlag = Flag.Boolean("all").pipe(
  Flag.withDescription("All calls of the service, with the admin token instead of an API key"),
  Flag.withDefault(false)
)
