import type { Connection } from "../../../Domain/Connection.ts"
import { formatTime } from "../../Lists.ts"
import type { Column } from "../../Table.ts"

const tones = { active: "good", expired: "warn", revoked: "bad" } as const

const healthTones = { ok: "good", at_risk: "warn", broken: "bad" } as const

export const connectionColumns = (
  clientNames: ReadonlyMap<string, string>
): ReadonlyArray<Column<Connection>> => [
  { head: "id", value: ({ id }) => id },
  { head: "provider", value: ({ provider }) => provider },
  { head: "label", value: ({ label }) => label },
  { head: "account", value: ({ external_account }) => external_account ?? "" },
  { head: "auth", value: ({ auth_type }) => auth_type },
  { head: "client", value: ({ client_id }) => client_id === null ? "" : clientNames.get(client_id) ?? client_id },
  { head: "status", value: ({ status }) => status, tone: ({ status }) => tones[status] },
  {
    head: "last error",
    value: ({ last_error }) => last_error === null ? "" : `${last_error.code} ${formatTime(last_error.at)}`,
    tone: () => "bad"
  },
  {
    head: "health",
    value: ({ health: { reasons, state } }) =>
      state === "ok" ? "" : `${state} ${reasons.map(({ code }) => code).join(" ")}`,
    tone: ({ health }) => healthTones[health.state]
  },
  { head: "last used", value: ({ last_used_at }) => formatTime(last_used_at) }
]

export const connectionDetail: ReadonlyArray<Column<Connection>> = [
  ...connectionColumns(new Map()),
  {
    head: "reasons",
    value: ({ health }) =>
      health.reasons.map(({ expected_at, message }) =>
        expected_at === null ? message : `${message} (${formatTime(expected_at)})`
      ).join("\n")
  },
  { head: "scopes", value: ({ scopes }) => scopes.join("\n") },
  { head: "created", value: ({ created_at }) => formatTime(created_at) }
]
