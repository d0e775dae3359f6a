import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { MemberId } from "../Domain/Ids.ts"
import { rowsOf } from "../Sql/Rows.ts"

const maxListed = 20

/**
 * Earlier versions let a new member take the e-mail address of another. A member whose address is unique again becomes
 * its owner.
 */
export const warnOfSharedEmails = Effect.fnUntraced(function*(sql: SqlClient.SqlClient) {
  yield* sql`
    UPDATE members SET shares_email = false
    WHERE shares_email AND NOT EXISTS (
      SELECT 1 FROM members AS other WHERE lower(other.email) = lower(members.email) AND other.id <> members.id
    )`
  const sharing = yield* members.all(sql`SELECT id FROM members WHERE shares_email ORDER BY id`)
  if (sharing.length === 0) return
  const listed = sharing.slice(0, maxListed).map(({ id }) => id).join(", ")
  yield* Effect.logWarning(
    `${sharing.length} members have the e-mail address of an older member (upper and lower case count as the same). ` +
      "Their keys work, but only the older member can sign in with the address. Give each its own address: " +
      `oa member change <id> --email <address>. They are ${listed}${sharing.length > maxListed ? ", …" : ""}`
  )
})

const members = rowsOf(Schema.Struct({ id: MemberId }))
