import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { ClientId } from "../Domain/Ids.ts"
import type { Actor } from "../Domain/Request/Actor.ts"

interface Maker extends Readonly<Record<"client" | "holder" | "member", Fragment>> {}

/**
 * A condition on `members`: the member may connect accounts of the client, and the key or grant that it used, if any,
 * may make connect links.
 */
const connects = (sql: SqlClient.SqlClient, { client, holder, member }: Maker) =>
  sql`
    members.id = ${member} AND (members.client_ids IS NULL OR ${client} = ANY(members.client_ids)) AND (
      ${holder} IS NULL
      OR EXISTS (
        SELECT FROM keys WHERE keys.id = ${holder} AND keys.revoked_at IS NULL AND 'connect_links' = ANY(keys.manage)
      )
      OR EXISTS (SELECT FROM grants WHERE grants.id = ${holder} AND grants.revoked_at IS NULL)
    )`

/** Without a member, the admin token or the service has made the link. */
export const couldMakeLink = (sql: SqlClient.SqlClient, maker: Maker) =>
  sql`(${maker.member} IS NULL OR EXISTS (SELECT FROM members WHERE ${connects(sql, maker)}))`

/**
 * Whether the client exists and the actor may connect accounts of it now. In a transaction, the client stays and the
 * member keeps its rights until the end.
 */
export const makeMayConnect = Effect.map(
  SqlClient.SqlClient,
  (sql) =>
    Effect.fnUntraced(function*(
      { member_id, type }: Actor,
      clientId: ClientId | null,
      holder: string | null = null
    ) {
      if (clientId !== null) {
        const clients = yield* sql`SELECT id FROM clients WHERE id = ${clientId} FOR SHARE`
        if (clients.length === 0) return false
      }
      if (type !== "member" && type !== "key") return true
      const used = { client: sql`${clientId}::text`, holder: sql`${holder}::text`, member: sql`${member_id}` }
      return (yield* sql`SELECT id FROM members WHERE ${connects(sql, used)} FOR SHARE`).length > 0
    }, Effect.orDie)
)
