import { Effect } from "effect"
import { Command } from "effect/cli"
import { adminApi, adminFlags } from "../../Cli/ApiClient.ts"
import { limitsText, rightsFlagNames, rightsFlags, rightsOf, unlimitedFlags } from "../../Cli/Commands/RightsFlags.ts"
import { reportFailure, usageError } from "../../Cli/Failure.ts"
import { choiceFlag, repeatableFlag, switchFlag } from "../../Cli/Flags.ts"
import { decodeChange } from "../../Cli/Input.ts"
import { formatTime, idArgument, listCommand, printRecord } from "../../Cli/Lists.ts"
import type { Column } from "../../Cli/Table.ts"
import { type Grant, GrantChange } from "../../Domain/Access/Grant.ts"

const columns: ReadonlyArray<Column<Grant>> = [
  { head: "id", value: ({ id }) => id },
  { head: "agent", value: ({ agent }) => agent.name },
  { head: "client id", value: ({ agent }) => agent.client_id },
  { head: "member", value: ({ member_id }) => member_id },
  { head: "access", value: ({ access }) => access, tone: ({ access }) => access === "read_write" ? "warn" : undefined },
  {
    head: "connections",
    value: ({ connection_ids }) => {
      if (connection_ids === null) return "all"
      return connection_ids.length === 0 ? "none" : connection_ids.join("\n")
    }
  },
  { head: "limits", value: limitsText },
  { head: "last used", value: ({ last_used_at }) => formatTime(last_used_at) },
  {
    head: "status",
    value: ({ revoked_at }) => revoked_at === null ? "active" : `revoked ${formatTime(revoked_at)}`,
    tone: ({ revoked_at }) => revoked_at === null ? "good" : "bad"
  }
]

const list = listCommand("grants of agents", {
  fetchPage: (api, request) => api.grants.list(request),
  rowsOf: (page) => page.grants,
  columns,
  emptyMessage: "No grants; an agent gets one when a member signs it in."
})

const update = Command.make(
  "update",
  {
    id: idArgument("grant"),
    access: choiceFlag(
      "access",
      ["read_only", "read_write"],
      "read_write allows operations that write, to tokens that were given for it"
    ),
    connections: repeatableFlag("connection", "Connection that the agent sees; repeatable", "<connection id>"),
    allConnections: switchFlag("all-connections", "Let the agent see every connection of its member, also future ones"),
    ...rightsFlags,
    ...unlimitedFlags
  },
  Effect.fnUntraced(function*({ access, allConnections, connections, id, ...rights }) {
    if (allConnections && connections.length > 0) {
      return yield* usageError("Pass either --all-connections or --connection, not both")
    }
    const connection_ids = allConnections ? null : connections.length === 0 ? undefined : connections
    const payload = yield* decodeChange(GrantChange, `--access, --connection, --all-connections, ${rightsFlagNames}`, {
      access,
      connection_ids,
      ...yield* rightsOf(rights)
    })
    const api = yield* adminApi
    yield* printRecord(columns, yield* api.grants.change({ params: { id }, payload }))
  }, reportFailure)
).pipe(
  Command.withDescription("Change what an agent may do and see; it applies within a second"),
  Command.withExamples([
    { command: "oa grant update gra_… --access read_only" },
    {
      command: "oa grant update gra_… --connection con_… --connection con_…",
      description: "Replace the connections that the agent sees"
    },
    {
      command: "oa grant update gra_… --resource gsc:sc-domain:acme.com --writes ask",
      description: "Limit the agent to one site, and ask a person before each change"
    }
  ])
)

const revoke = Command.make(
  "revoke",
  { id: idArgument("grant") },
  Effect.fnUntraced(function*({ id }) {
    const api = yield* adminApi
    yield* printRecord(columns, yield* api.grants.revoke({ params: { id } }))
  }, reportFailure)
).pipe(Command.withDescription("Revoke a grant; the agent's tokens stop working within a second"))

export const grant = Command.make("grant").pipe(
  Command.withDescription("Grants: what members let agents do for them"),
  Command.withSubcommands([list, update, revoke]),
  Command.withGlobalFlags(adminFlags)
)
