import { Context, type Effect } from "effect"
import type { LastError } from "../Domain/Connection.ts"
import type { ConnectionId } from "../Domain/Ids.ts"
import type { HealthRecords } from "./Storage/HealthRecords.ts"

interface Outcomes {
  /** Sets `last_used_at`, at most every 10 seconds. */
  readonly touch: (id: ConnectionId) => Effect.Effect<void>
  readonly setLastError: (id: ConnectionId, error: LastError | null) => Effect.Effect<void>
}

/** How connections work: when they were used, and what failed. */
export class ConnectionHealth extends Context.Service<ConnectionHealth, HealthRecords & Outcomes>()(
  "openaccounts/Connections/ConnectionHealth"
) {}
