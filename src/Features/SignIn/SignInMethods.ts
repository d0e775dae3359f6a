import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { MemberId } from "../../Domain/Ids.ts"
import { SignInMethod } from "../../Domain/Session.ts"
import { textArray } from "../../Sql/BulkStatement.ts"
import { valuesOf } from "../../Sql/Rows.ts"
import { oidcSettings } from "./Settings.ts"

export const makeSignInMethods = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const hasOidc = Option.isSome(yield* oidcSettings)
  const all = sql`(
    SELECT member_id, 'password' AS method FROM passwords
    UNION SELECT member_id, 'passkey' FROM passkeys
    UNION SELECT member_id, 'oidc' FROM oidc_accounts WHERE ${hasOidc}::boolean) AS methods`

  return {
    of: (id: MemberId) => methods.all(sql`SELECT method FROM ${all} WHERE member_id = ${id} ORDER BY method`),

    /** Whether one of the members, or with `null` any member, can sign in. */
    canSignIn: (ids: ReadonlyArray<MemberId> | null) =>
      Effect.orDie(Effect.map(
        sql`SELECT 1 FROM ${all} WHERE ${ids === null ? sql`true` : sql`member_id = ANY(${textArray(ids)})`} LIMIT 1`,
        ({ length }) => length > 0
      ))
  }
})

const methods = valuesOf(SignInMethod)
