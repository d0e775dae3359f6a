import { type Redacted, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { ClientId, ConnectionId } from "../../Domain/Ids.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { rowsOf } from "../../Sql/Rows.ts"
import { refreshTokenHash } from "../Credentials.ts"
import type { ConnectionRows } from "./ConnectionRows.ts"

/** Two connections that have the same refresh token. One sign-in can make several connections. */
const SharedToken = Schema.Struct({
  id: ConnectionId,
  sharedWith: ConnectionId,
  /** The client of the connection `sharedWith`. */
  clientId: Schema.NullOr(ClientId)
})
export type SharedToken = typeof SharedToken.Type

const sharedTokens = rowsOf(SharedToken)

export const makeTokenHolders = (sql: SqlClient.SqlClient, { all, columns }: ConnectionRows) => ({
  withToken: (refreshToken: Redacted.Redacted) =>
    all(sql`
      SELECT ${columns} FROM connections
      WHERE token_hash = ${refreshTokenHash(refreshToken)} AND status <> 'revoked' ORDER BY id`),

  // A stopped connection keeps its hash.
  sharing: (ids: ReadonlyArray<ConnectionId>) =>
    sharedTokens.all(sql`
      SELECT own.id, other.id AS "sharedWith", other.client_id AS "clientId"
      FROM connections AS own JOIN connections AS other USING (token_hash)
      WHERE own.id = ANY(${textArray(ids)}) AND other.id <> own.id ORDER BY own.id, other.id`)
})
