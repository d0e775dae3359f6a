import { Clock, Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsOf } from "../Sql/Rows.ts"
import { sweepHourly } from "../Sql/Sweep.ts"
import { hashOf, openPayload, Sealed, sealPayload } from "./SealedPayload.ts"

export type TokenKind = "AccessToken" | "AuthorizationCode" | "Interaction" | "RefreshToken"

/** A refresh token can be used again within this time: parallel refreshes and lost responses do not end the grant. */
export const refreshGrace = Duration.seconds(60)

/** Used codes are kept, so that a second use is noticed. */
const usedCodeLifetime = Duration.days(30)

export interface NewToken {
  readonly kind: TokenKind
  readonly id: string
  readonly payload: object
  readonly grantId: string | undefined
  readonly scope: string | undefined
  readonly lifetime: Duration.Duration
}

export interface StoredToken {
  readonly payload: unknown
  readonly consumedAt: Date | null
}

export class OAuthTokens extends Context.Service<OAuthTokens, {
  readonly put: (token: NewToken) => Effect.Effect<void>
  /** Also finds expired tokens until they are deleted. */
  readonly find: (kind: TokenKind, id: string) => Effect.Effect<Option.Option<StoredToken>>
  /** True for one caller across all instances. A refresh token can be consumed again during `refreshGrace`. */
  readonly consume: (kind: TokenKind, id: string) => Effect.Effect<boolean>
  readonly remove: (kind: TokenKind, id: string) => Effect.Effect<boolean>
}>()("openaccounts/Authorization/OAuthTokens") {
  static readonly layer = Layer.effect(
    OAuthTokens,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const of = (kind: TokenKind, id: string) => sql`kind = ${kind} AND hash = ${hashOf(id)}`

      yield* sweepHourly({
        lock: "oauthTokens",
        what: "codes and tokens of agents",
        batch: 1000,
        deleteBatch: (now) =>
          Effect.map(
            sql`DELETE FROM oauth_tokens WHERE (kind, hash) IN (
              SELECT kind, hash FROM oauth_tokens WHERE expires_at <= ${new Date(now)} LIMIT 1000
            ) RETURNING kind`,
            ({ length }) => length
          )
      })

      return OAuthTokens.of({
        put: Effect.fn("OAuthTokens.put")(function*({ grantId, id, kind, lifetime, payload, scope }) {
          const now = yield* Clock.currentTimeMillis
          const sealed = JSON.stringify(sealPayload(kind, id, payload))
          yield* sql`
            INSERT INTO oauth_tokens (kind, hash, grant_id, scope, payload, created_at, expires_at)
            VALUES (${kind}, ${hashOf(id)}, ${grantId ?? null}, ${scope ?? null}, ${sealed}::jsonb,
              ${new Date(now)}, ${new Date(now + Duration.toMillis(lifetime))})
            ON CONFLICT (kind, hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`
        }, Effect.orDie),

        find: Effect.fn("OAuthTokens.find")(function*(kind, id) {
          const row = yield* rows.first(sql`SELECT payload, consumed_at FROM oauth_tokens WHERE ${of(kind, id)}`)
          return Option.map(row, ({ consumed_at, payload }) => ({
            payload: openPayload(kind, id, payload),
            consumedAt: consumed_at
          }))
        }),

        consume: Effect.fn("OAuthTokens.consume")(function*(kind, id) {
          const now = yield* Clock.currentTimeMillis
          const isUnused = kind === "RefreshToken"
            ? sql`(consumed_at IS NULL OR consumed_at > ${new Date(now - Duration.toMillis(refreshGrace))})`
            : sql`consumed_at IS NULL`
          const expiresAt = kind === "AuthorizationCode"
            ? sql`${new Date(now + Duration.toMillis(usedCodeLifetime))}::timestamptz`
            : sql`expires_at`
          const consumed = yield* sql`
            UPDATE oauth_tokens
            SET consumed_at = coalesce(consumed_at, ${new Date(now)}::timestamptz), expires_at = ${expiresAt}
            WHERE ${of(kind, id)} AND ${isUnused} RETURNING kind`
          return consumed.length === 1
        }, Effect.orDie),

        remove: Effect.fn("OAuthTokens.remove")(function*(kind, id) {
          return (yield* sql`DELETE FROM oauth_tokens WHERE ${of(kind, id)} RETURNING kind`).length === 1
        }, Effect.orDie)
      })
    })
  )
}

const rows = rowsOf(Schema.Struct({ payload: Sealed, consumed_at: Schema.NullOr(Schema.Date) }))
