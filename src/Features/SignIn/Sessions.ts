import { Clock, Context, Duration, Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Audit } from "../../Audit/Audit.ts"
import { SessionRepo } from "../../Auth/SessionRepo.ts"
import type { SessionPrincipal } from "../../Domain/Access/Principal.ts"
import { type MemberId, SessionId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import { CurrentActor, memberActor } from "../../Domain/Request/Actor.ts"
import { CurrentAddress } from "../../Domain/Request/CurrentAddress.ts"
import { networkOf } from "../../Domain/Request/Network.ts"
import type { Session, SessionStart } from "../../Domain/Session.ts"
import { generateToken, hashToken } from "../../Secrets/IssuedSecrets.ts"
import { advisoryLock } from "../../Sql/AdvisoryLock.ts"
import { Invalidation } from "../../Sql/Notify/Invalidation.ts"
import { sweepHourly } from "../../Sql/Sweep.ts"
import { SessionNotFound } from "./Contract.ts"

const lock = advisoryLock("sessions", 7_226_921)

const maxSessions = 100

const batch = 1000

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
}>()("openaccounts/Features/SignIn/Sessions") {
  static readonly layer = Layer.effect(
    Sessions,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const invalidation = yield* Invalidation
      const sessions = yield* SessionRepo

      yield* sweepHourly({
        lock,
        what: "sessions",
        batch,
        deleteBatch: (now) =>
          Effect.andThen(
            sql`
              DELETE FROM known_addresses
              WHERE last_signed_in_at <= ${new Date(now - Duration.toMillis(addressRetention))}`,
            sessions.deleteEnded(now, batch)
          )
      })

      const end = Effect.fnUntraced(function*(memberId: MemberId, deletion: Effect.Effect<ReadonlyArray<SessionId>>) {
        const ended = yield* audit.change(
          deletion,
          (ids) => ids.map((id) => ({ action: "session.ended", subject: id, details: { member_id: memberId } }))
        )
        yield* Effect.forEach(ended, (id) => invalidation.publish({ table: "sessions", id }), { discard: true })
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
              yield* sessions.insert({
                id,
                member_id: memberId,
                hash: Buffer.from(hashToken(token), "hex"),
                began_with: beganWith,
                address,
                user_agent: userAgent?.slice(0, maxUserAgent) ?? null,
                created_at: now
              }, maxSessions)
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

        list: Effect.fn("Sessions.list")(function*(session) {
          return yield* sessions.list(session, yield* Clock.currentTimeMillis)
        }),

        end: Effect.fn("Sessions.end")(function*(memberId, id) {
          if ((yield* end(memberId, sessions.delete(memberId, id))) === 0) return yield* new SessionNotFound()
        }),

        endOthers: Effect.fn("Sessions.endOthers")((session) =>
          Effect.asVoid(end(session.memberId, sessions.deleteOthers(session)))
        )
      })
    })
  )
}
