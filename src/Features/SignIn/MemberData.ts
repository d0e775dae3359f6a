import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { MemberRepo } from "../../Auth/MemberRepo.ts"

/** Deletes the sign-in methods of a member together with the member. */
export const deleteWithMembers = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const members = yield* MemberRepo
  yield* members.whenDeleted((id) =>
    Effect.orDie(Effect.asVoid(sql`
      WITH
        no_password AS (DELETE FROM passwords WHERE member_id = ${id}),
        no_passkeys AS (DELETE FROM passkeys WHERE member_id = ${id}),
        no_oidc_accounts AS (DELETE FROM oidc_accounts WHERE member_id = ${id}),
        no_addresses AS (DELETE FROM known_addresses WHERE member_id = ${id})
      DELETE FROM links WHERE member_id = ${id}`))
  )
})
