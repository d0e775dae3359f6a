import type { Connection } from "../../../Domain/Connection.ts"
import { formatTime } from "../../Lists.ts"
import type { Column } from "../../Table.ts"

const tones = { active: "good", expired: "warn", revoked: "bad" } as const

export const connectionColumns: ReadonlyArray<Column<Connection>> = [
  { head: "id", value: ({ id }) => id },
  { head: "provider", value: ({ provider }) => provider },
  { head: "label", value: ({ label }) => label },
  { head: "account", value: ({ external_account }) => external_account ?? "" },
  { head: "client", value: ({ client_id }) => client_id ?? "" },
  { head: "status", value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { head: "last used", value: ({ last_used_at }) => formatTime(last_used_at) }
]

export const connectionDetail: ReadonlyArray<Column<Connection>> = [
  ...connectionColumns,
  { head: "auth", value: ({ auth_type }) => auth_type },
  { head: "scopes", value: ({ scopes }) => scopes.join("\n") },
  { head: "created", value: ({ created_at }) => formatTime(created_at) }
]
