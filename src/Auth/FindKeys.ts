import { PgTypes } from "@effect/sql-pg"
import { Effect, Exit, Option } from "effect"
import type { SqlClient } from "effect/sql"
import type { Principal } from "../Domain/Principal.ts"
import { array } from "../Sql/BulkInsert.ts"

/** Who has the keys with these hashes, in hexadecimal and in their order; nobody has an unknown or revoked one. */
export const findKeys = (sql: SqlClient.SqlClient, hashes: ReadonlyArray<string>) => {
  const bytes = array(hashes.map((hash) => Buffer.from(hash, "hex")), PgTypes.OID.bytea)
  return Effect.map(
    sql<Principal & { readonly hash: string }>`
      SELECT encode(keys.hash, 'hex') AS hash, keys.id AS "keyId", members.id AS "memberId", keys.access,
        members.client_ids AS "clientIds"
      FROM keys JOIN members ON members.id = keys.member_id
      WHERE keys.hash = ANY(${bytes}) AND keys.revoked_at IS NULL`,
    (rows) => {
      const found = new Map(rows.map(({ hash, ...principal }): [string, Principal] => [hash, principal]))
      return hashes.map((hash) => Exit.succeed(Option.fromUndefinedOr(found.get(hash))))
    }
  )
}
