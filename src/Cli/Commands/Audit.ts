import { Effect, Option, Schema } from "effect"
import { Command } from "effect/cli"
import { type AuditEntry, AuditFilter } from "../../Declared/Audit.ts"
import { PageRequest } from "../../Domain/Page.ts"
import { adminApi, adminFlags } from "../ApiClient.ts"
import { formatFlag, printExport } from "../Export.ts"
import { reportFailure } from "../Failure.ts"
import { optionalFlag } from "../Flags.ts"
import { decodeFlags } from "../Input.ts"
import { formatTime, pageFlags, printList } from "../Lists.ts"
import { type Column } from "../Table.ts"

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { head: "time", value: ({ at }) => formatTime(at) },
  { head: "actor", value: ({ actor }) => actor.key_id ?? actor.member_id ?? actor.type },
  {
    head: "action",
    value: ({ action }) => action,
    tone: ({ action }) => action.endsWith(".refused") ? "bad" : undefined
  },
  { head: "subject", value: ({ subject }) => subject.id ?? "" },
  { head: "address", value: ({ address }) => address ?? "" },
  { head: "details", value: ({ details }) => Object.keys(details).length === 0 ? "" : JSON.stringify(details) }
]

export const audit = Command.make(
  "audit",
  {
    ...pageFlags,
    actor: optionalFlag("actor", "Only changes by this member or key, or by member, key, token or system"),
    action: optionalFlag("action", "Only this action, such as key.revoked"),
    subject: optionalFlag("subject", "Only changes of the subject with this id, or of this type, such as connection"),
    since: optionalFlag("since", "Only changes at this time or later, such as 2026-01-31T09:00:00Z", "<time>"),
    until: optionalFlag("until", "Only changes before this time", "<time>"),
    format: formatFlag
  },
  Effect.fnUntraced(function*({ format, ...flags }) {
    const query = yield* decodeFlags(Schema.Struct({ ...PageRequest, ...AuditFilter }), flags)
    const { audit } = yield* adminApi
    if (Option.isSome(format)) {
      return yield* printExport(
        audit.list({ query: { ...query, format: format.value }, responseMode: "response-only" })
      )
    }
    const page = yield* audit.list({ query })
    yield* printList(page, { rows: page.entries, columns, emptyMessage: "No entries." })
  }, reportFailure)
).pipe(
  Command.withDescription("List who changed members, clients, keys, connections and webhooks, newest first"),
  Command.withExamples([
    { command: "oa audit --subject con_…", description: "What happened to a connection" },
    { command: "oa audit --format csv > audit.csv", description: "Everything that the filters select" },
    { command: "oa audit --action admin_token.refused --since 2026-01-31T00:00:00Z" }
  ]),
  Command.withGlobalFlags(adminFlags)
)
