import type { Connection } from "../Domain/Connection.ts"
import { time } from "./Lists.ts"
import type { Column } from "./Table.ts"

const tones = { active: "good", expired: "warn", revoked: "bad" } as const

/** What tells connections apart. */
export const connectionColumns: ReadonlyArray<Column<Connection>> = [
  { head: "id", value: ({ id }) => id },
  { head: "provider", value: ({ provider }) => provider },
  { head: "label", value: ({ label }) => label },
  { head: "account", value: ({ external_account }) => external_account ?? "" },
  { head: "client", value: ({ client_id }) => client_id ?? "" },
  { head: "status", value: ({ status }) => status, tone: ({ status }) => tones[status] },
  { head: "last used", value: ({ last_used_at }) => time(last_used_at) }
]

/** All that is known of one. */
export const connectionDetail: ReadonlyArray<Column<Connection>> = [
  ...connectionColumns,
  { head: "auth", value: ({ auth_type }) => auth_type },
  { head: "scopes", value: ({ scopes }) => scopes.join("\n") },
  { head: "created", value: ({ created_at }) => time(created_at) }
]
