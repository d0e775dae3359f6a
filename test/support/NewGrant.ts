import { PgTypes } from "@effect/sql-pg"
import { Clock, Effect, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { generateGrantToken } from "../../src/Auth/GrantToken.ts"
import { hashToken } from "../../src/Auth/OpaqueToken.ts"

export interface NewToken {
  readonly grantId: string
  readonly scope?: string | null
  readonly kind?: string
  /** In milliseconds from the current time. */
  readonly expiresIn?: number
  readonly consumed?: boolean
  readonly token?: Redacted.Redacted
}

/** An access token as the authorization server stores it. */
export const newToken = Effect.fn("newToken")(function*(options: NewToken) {
  const { consumed = false, expiresIn = 86_400_000, grantId, kind = "AccessToken", scope = "read write" } = options
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const token = options.token ?? generateGrantToken("access")
  yield* sql`INSERT INTO oauth_tokens ${
    sql.insert({
      kind,
      hash: Buffer.from(hashToken(token), "hex"),
      grant_id: grantId,
      scope,
      payload: PgTypes.jsonb({}),
      created_at: new Date(now),
      expires_at: new Date(now + expiresIn),
      consumed_at: consumed ? new Date(now) : null
    })
  }`
  return token
}, Effect.orDie)
