import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ClientId } from "../Domain/Ids.ts"
import type { Actor } from "../Domain/Request/Actor.ts"

/**
 * Whether the client exists and the actor may connect accounts of it now. In a transaction, the client stays and the
 * member keeps its rights until the end.
 */
export const makeMayConnect = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    Effect.fnUntraced(function*({ member_id, type }: Actor, clientId: ClientId | null) {
      if (clientId !== null) {
        const clients = yield* sql`SELECT id FROM clients WHERE id = ${clientId} FOR SHARE`
        if (clients.length === 0) return false
      }
      if (type !== "member" && type !== "key") return true
      const members = yield* sql`
        SELECT id FROM members
        WHERE id = ${member_id} AND (client_ids IS NULL OR ${clientId}::text = ANY(client_ids)) FOR SHARE`
      return members.length > 0
    }, Effect.orDie)
)
