import { Clock, Context, Duration, Effect, Layer, type Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { SessionNotFound } from "../Api/ManagementErrors.ts"
import { Audit } from "../Audit/Audit.ts"
import type { SessionPrincipal } from "../Domain/Access/Principal.ts"
import { type MemberId, SessionId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import { CurrentActor, memberActor } from "../Domain/Request/Actor.ts"
import { CurrentAddress } from "../Domain/Request/CurrentAddress.ts"
import { networkOf } from "../Domain/Request/Network.ts"
import { Session, sessionIdle, sessionLifetime, type SessionStart } from "../Domain/Session.ts"
import { generateToken, hashToken } from "../Secrets/OpaqueToken.ts"
import { advisoryLock } from "../Sql/AdvisoryLock.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { rowsOf } from "../Sql/Rows.ts"
import { sweepHourly } from "../Sql/Sweep.ts"

const lock = advisoryLock("sessions", 7_226_921)

const maxSessions = 100

const maxUserAgent = 300

const addressRetention = Duration.days(90)

export interface NewSession {
  readonly memberId: MemberId
  readonly beganWith: SessionStart
  readonly userAgent: string | undefined
}

export class Sessions extends Context.Service<Sessions, {
  readonly start: (session: NewSession) => Effect.Effect<Redacted.Redacted>
  readonly list: (session: SessionPrincipal) => Effect.Effect<ReadonlyArray<Session>>
  readonly end: (memberId: MemberId, id: string) => Effect.Effect<void, SessionNotFound>
  readonly endOthers: (session: SessionPrincipal) => Effect.Effect<void>
}>()("openaccounts/Members/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const invalidation = yield* Invalidation

      yield* sweepHourly({
        lock,
        what: "sessions",
        batch: 1000,
        deleteBatch: (now) =>
          Effect.map(
            sql`
              WITH old_addresses AS (
                DELETE FROM known_addresses
                WHERE last_signed_in_at <= ${new Date(now - Duration.toMillis(addressRetention))}
              )
              DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE NOT ${isLive(sql, now)} LIMIT 1000
              ) RETURNING id`,
            ({ length }) => length
          )
      })

      const endAll = (memberId: MemberId, which: Fragment) =>
        Effect.gen(function*() {
          const ended = yield* audit.change(
            endedSessions.all(sql`DELETE FROM sessions WHERE member_id = ${memberId} AND ${which} RETURNING id`),
            (sessions) =>
              sessions.map(({ id }) => ({ action: "session.ended", subject: id, details: { member_id: memberId } }))
          )
          yield* Effect.forEach(ended, ({ id }) => invalidation.publish({ table: "sessions", id }), { discard: true })
          return ended.length
        })

      return Sessions.of({
        start: Effect.fn("Sessions.start")(function*({ beganWith, memberId, userAgent }) {
          const token = generateToken("session")
          const id = SessionId.make(yield* newId("ses"))
          const now = new Date(yield* Clock.currentTimeMillis)
          const address = yield* CurrentAddress
          yield* audit.change(
            Effect.gen(function*() {
              yield* sql`
                DELETE FROM sessions WHERE id IN (
                  SELECT id FROM sessions WHERE member_id = ${memberId} ORDER BY id DESC OFFSET ${maxSessions - 1}
                )`
              yield* sql`INSERT INTO sessions ${
                sql.insert({
                  id,
                  member_id: memberId,
                  hash: Buffer.from(hashToken(token), "hex"),
                  began_with: beganWith,
                  address,
                  user_agent: userAgent?.slice(0, maxUserAgent) ?? null,
                  created_at: now,
                  last_used_at: now
                })
              }`
              if (address === null) return
              yield* sql`
                INSERT INTO known_addresses (member_id, address, last_signed_in_at)
                VALUES (${memberId}, ${networkOf(address)}, ${now})
                ON CONFLICT (member_id, address) DO UPDATE SET last_signed_in_at = excluded.last_signed_in_at`
            }).pipe(Effect.orDie),
            () => [{ action: "session.started", subject: id, details: { member_id: memberId, method: beganWith } }]
          ).pipe(Effect.provideService(CurrentActor, memberActor(memberId)))
          return token
        }),

        list: Effect.fn("Sessions.list")(function*({ memberId, sessionId }) {
          const now = yield* Clock.currentTimeMillis
          return yield* sessions.all(sql`
            SELECT id, created_at, last_used_at, id = ${sessionId} AS current, address, user_agent
            FROM sessions WHERE member_id = ${memberId} AND ${isLive(sql, now)} ORDER BY id DESC`)
        }),

        end: Effect.fn("Sessions.end")(function*(memberId, id) {
          if ((yield* endAll(memberId, sql`id = ${id}`)) === 0) return yield* new SessionNotFound()
        }),

        endOthers: Effect.fn("Sessions.endOthers")(({ memberId, sessionId }) =>
          Effect.asVoid(endAll(memberId, sql`id <> ${sessionId}`))
        )
      })
    })
  )
}

const isLive = (sql: SqlClient.SqlClient, now: number) =>
  sql`(last_used_at > ${new Date(now - Duration.toMillis(sessionIdle))}
    AND created_at > ${new Date(now - Duration.toMillis(sessionLifetime))})`

const sessions = rowsOf(Schema.toType(Session))

const endedSessions = rowsOf(Schema.Struct({ id: SessionId }))
