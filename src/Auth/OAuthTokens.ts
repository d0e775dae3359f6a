import { Clock, Context, Duration, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { MemberId } from "../Domain/Ids.ts"
import { hashOf, openPayload, Sealed, sealPayload } from "../Secrets/SealedPayload.ts"
import { advisoryLock } from "../Sql/AdvisoryLock.ts"
import { rowsOf } from "../Sql/Rows.ts"
import { sweepTable } from "../Sql/Sweep.ts"
import { inTransaction } from "../Sql/Transaction.ts"
import { lockMember } from "./MemberRepo.ts"

const lock = advisoryLock("oauthTokens", 7_226_927)

export type TokenKind = "AccessToken" | "AuthorizationCode" | "Interaction" | "RefreshToken"

/** A refresh token can be used again within this time: parallel refreshes and lost responses do not end the grant. */
export const refreshGrace = Duration.seconds(60)

export const maxConsentRequests = 20

/** Used codes stay stored, so that a second use is noticed. */
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
  /** False, and stores nothing, if the member has `maxConsentRequests` open ones on all instances. */
  readonly putConsentRequest: (request: NewToken, memberId: MemberId) => Effect.Effect<boolean>
  /** True for exactly one caller across all instances. */
  readonly consume: (kind: TokenKind, id: string) => Effect.Effect<boolean>
  /**
   * Consumes a refresh token and returns its successor: `proposed` for the first caller across all instances, and the
   * same one for the others during `refreshGrace`. None afterwards.
   */
  readonly rotate: (id: string, proposed: Redacted.Redacted) => Effect.Effect<Option.Option<Redacted.Redacted>>
  readonly remove: (kind: TokenKind, id: string) => Effect.Effect<boolean>
}>()("openaccounts/Auth/OAuthTokens") {
  static readonly layer = Layer.effect(
    OAuthTokens,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const of = (kind: TokenKind, id: string) => sql`kind = ${kind} AND hash = ${hashOf(id)}`

      yield* sweepTable({
        lock,
        what: "codes and tokens of agents",
        table: "oauth_tokens",
        isOld: (now) => sql`expires_at <= ${now}`
      })

      // A repeated refresh puts the same successor again, which stays unchanged: it may have a successor of its own.
      const put = Effect.fn("OAuthTokens.put")(function*(
        { grantId, id, kind, lifetime, payload, scope }: NewToken,
        memberId: MemberId | null = null
      ) {
        const now = yield* Clock.currentTimeMillis
        const sealed = JSON.stringify(sealPayload(kind, id, payload))
        yield* sql`
          INSERT INTO oauth_tokens (kind, hash, grant_id, member_id, scope, payload, created_at, expires_at)
          VALUES (${kind}, ${hashOf(id)}, ${grantId ?? null}, ${memberId}, ${scope ?? null}, ${sealed}::jsonb,
            ${new Date(now)}, ${new Date(now + Duration.toMillis(lifetime))})
          ON CONFLICT (kind, hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at
          WHERE excluded.kind <> 'RefreshToken'`
      }, Effect.orDie)

      return OAuthTokens.of({
        put: (token) => put(token),

        putConsentRequest: Effect.fn("OAuthTokens.putConsentRequest")(
          function*(request, memberId) {
            yield* lockMember(sql, memberId)
            const open = yield* sql`
              SELECT 1 FROM oauth_tokens WHERE member_id = ${memberId} AND kind = 'Interaction'
                AND consumed_at IS NULL AND expires_at > ${new Date(yield* Clock.currentTimeMillis)}
              LIMIT ${maxConsentRequests}`
            if (open.length >= maxConsentRequests) return false
            yield* put(request, memberId)
            return true
          },
          inTransaction(sql),
          Effect.orDie
        ),

        find: Effect.fn("OAuthTokens.find")(function*(kind, id) {
          const row = yield* rows.first(sql`SELECT payload, consumed_at FROM oauth_tokens WHERE ${of(kind, id)}`)
          return Option.map(row, ({ consumed_at, payload }) => ({
            payload: openPayload(kind, id, payload),
            consumedAt: consumed_at
          }))
        }),

        consume: Effect.fn("OAuthTokens.consume")(function*(kind, id) {
          const now = yield* Clock.currentTimeMillis
          const expiresAt = kind === "AuthorizationCode"
            ? sql`${new Date(now + Duration.toMillis(usedCodeLifetime))}::timestamptz`
            : sql`expires_at`
          const consumed = yield* sql`
            UPDATE oauth_tokens
            SET consumed_at = ${new Date(now)}, expires_at = ${expiresAt}
            WHERE ${of(kind, id)} AND consumed_at IS NULL RETURNING kind`
          return consumed.length === 1
        }, Effect.orDie),

        rotate: Effect.fn("OAuthTokens.rotate")(function*(id, proposed) {
          const now = yield* Clock.currentTimeMillis
          const sealed = JSON.stringify(sealPayload(successorKind, id, Redacted.value(proposed)))
          const rotated = yield* successors.first(sql`
            UPDATE oauth_tokens
            SET consumed_at = coalesce(consumed_at, ${new Date(now)}::timestamptz),
              payload = jsonb_build_object('successor', ${sealed}::jsonb) || payload
            WHERE ${of("RefreshToken", id)}
              AND (consumed_at IS NULL OR consumed_at > ${new Date(now - Duration.toMillis(refreshGrace))})
            RETURNING payload -> 'successor' AS successor`)
          return Option.map(
            rotated,
            ({ successor }) =>
              Redacted.make(decodeSuccessor(openPayload(successorKind, id, successor)), { label: "refresh token" })
          )
        }),

        remove: Effect.fn("OAuthTokens.remove")(function*(kind, id) {
          return (yield* sql`DELETE FROM oauth_tokens WHERE ${of(kind, id)} RETURNING kind`).length === 1
        }, Effect.orDie)
      })
    })
  )
}

/** Seals the successor with another key than the token's own payload. */
const successorKind = "successor"
const successors = rowsOf(Schema.Struct({ successor: Sealed }))
const decodeSuccessor = Schema.decodeUnknownSync(Schema.String)

const rows = rowsOf(Schema.Struct({ payload: Sealed, consumed_at: Schema.NullOr(Schema.Date) }))
