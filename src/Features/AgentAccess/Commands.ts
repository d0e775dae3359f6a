import { Effect } from "effect"
import { accessColumn, idsText, resource, resourceCommands } from "../../Cli/Commands/Resource.ts"
import { limitsText, rightsFlagNames, rightsFlags, rightsOf, unlimitedFlags } from "../../Cli/Commands/RightsFlags.ts"
import { choiceFlag, repeatableFlag, switchFlag, valueOr } from "../../Cli/Flags.ts"
import { formatTime } from "../../Cli/Lists.ts"
import { type Grant, GrantChange } from "../../Domain/Access/Grant.ts"

const grants = resource<Grant>({
  one: "grant",
  many: "grants of agents",
  columns: [
    { head: "id", value: ({ id }) => id },
    { head: "agent", value: ({ agent }) => agent.name },
    { head: "client id", value: ({ agent }) => agent.client_id },
    { head: "member", value: ({ member_id }) => member_id },
    accessColumn,
    { head: "connections", value: ({ connection_ids }) => idsText(connection_ids) },
    { head: "limits", value: limitsText },
    { head: "last used", value: ({ last_used_at }) => formatTime(last_used_at) },
    {
      head: "status",
      value: ({ revoked_at }) => revoked_at === null ? "active" : `revoked ${formatTime(revoked_at)}`,
      tone: ({ revoked_at }) => revoked_at === null ? "good" : "bad"
    }
  ]
})

const list = grants.list({
  fetch: (api, request) => api.grants.list(request),
  rows: (page) => page.grants,
  emptyMessage: "No grants; an agent gets one when a member signs it in."
})

const update = grants.change({
  name: "update",
  description: "Change what an agent may do and see; it applies within a second",
  examples: [
    { command: "oa grant update gra_… --access read_only" },
    {
      command: "oa grant update gra_… --connection con_… --connection con_…",
      description: "Replace the connections that the agent sees"
    },
    {
      command: "oa grant update gra_… --resource gsc:sc-domain:acme.com --writes ask",
      description: "Limit the agent to one site, and ask a person before each change"
    }
  ],
  flags: {
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
  schema: GrantChange,
  names: `--access, --connection, --all-connections, ${rightsFlagNames}`,
  fields: Effect.fnUntraced(function*({ access, allConnections, connections, ...rights }) {
    const connection_ids = yield* valueOr(allConnections, null, connections, "--all-connections or --connection")
    return { access, connection_ids, ...yield* rightsOf(rights) }
  }),
  send: (api, request) => api.grants.change(request)
})

const revoke = grants.act(
  "revoke",
  "Revoke a grant; the agent's tokens stop working within a second",
  (api, request) => api.grants.revoke(request)
)

export const grant = resourceCommands("grant", "Grants: what members let agents do for them", [list, update, revoke])
