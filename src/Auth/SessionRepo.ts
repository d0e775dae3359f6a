import { Context, Duration, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import type { SessionPrincipal } from "../Domain/Access/Principal.ts"
import { MemberId, SessionId } from "../Domain/Ids.ts"
import { Session, sessionIdle, sessionLifetime, SessionStart } from "../Domain/Session.ts"
import { rowsOf, valuesOf } from "../Sql/Rows.ts"

export interface NewSessionRow {
  readonly id: SessionId
  readonly member_id: MemberId
  /** SHA-256 of the token. */
  readonly hash: Buffer
  readonly began_with: SessionStart
  readonly address: string | null
  readonly user_agent: string | null
  readonly created_at: Date
}

/** The table `sessions`. */
export class SessionRepo extends Context.Service<SessionRepo, {
  /** Ends the member's oldest sessions when it has `max`. */
  readonly insert: (session: NewSessionRow, max: number) => Effect.Effect<void>
  /** Also finds a session that has ended until it is deleted. */
  readonly find: (id: string) => Effect.Effect<Option.Option<typeof StartedSession.Type>>
  /** The member's sessions that have not ended, newest first. */
  readonly list: (session: SessionPrincipal, now: number) => Effect.Effect<ReadonlyArray<Session>>
  /** Returns the ids of those that it has deleted. */
  readonly delete: (memberId: MemberId, id: string) => Effect.Effect<ReadonlyArray<SessionId>>
  readonly deleteOthers: (session: SessionPrincipal) => Effect.Effect<ReadonlyArray<SessionId>>
  /** Returns how many of those that have ended it has deleted, at most `limit`. */
  readonly deleteEnded: (now: number, limit: number) => Effect.Effect<number>
}>()("openaccounts/Auth/SessionRepo") {
  static readonly layer = Layer.effect(
    SessionRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const isLive = (now: number) =>
        sql`(last_used_at > ${new Date(now - Duration.toMillis(sessionIdle))}
          AND created_at > ${new Date(now - Duration.toMillis(sessionLifetime))})`

      const deleteWhere = (memberId: MemberId, which: Fragment) =>
        sessionIds.all(sql`DELETE FROM sessions WHERE member_id = ${memberId} AND ${which} RETURNING id`)

      return SessionRepo.of({
        insert: Effect.fnUntraced(function*(session, max) {
          yield* sql`
            DELETE FROM sessions WHERE id IN (
              SELECT id FROM sessions WHERE member_id = ${session.member_id} ORDER BY id DESC OFFSET ${max - 1}
            )`
          yield* sql`INSERT INTO sessions ${sql.insert({ ...session, last_used_at: session.created_at })}`
        }, Effect.orDie),

        find: (id) => started.first(sql`SELECT member_id, began_with, created_at FROM sessions WHERE id = ${id}`),

        list: ({ memberId, sessionId }, now) =>
          sessions.all(sql`
            SELECT id, created_at, last_used_at, id = ${sessionId} AS current, address, user_agent
            FROM sessions WHERE member_id = ${memberId} AND ${isLive(now)} ORDER BY id DESC`),

        delete: (memberId, id) => deleteWhere(memberId, sql`id = ${id}`),

        deleteOthers: ({ memberId, sessionId }) => deleteWhere(memberId, sql`id <> ${sessionId}`),

        deleteEnded: (now, limit) =>
          Effect.orDie(Effect.map(
            sql`
              DELETE FROM sessions WHERE id IN (
                SELECT id FROM sessions WHERE NOT ${isLive(now)} LIMIT ${limit}
              ) RETURNING id`,
            ({ length }) => length
          ))
      })
    })
  )
}

const sessions = rowsOf(Schema.toType(Session))
const sessionIds = valuesOf(SessionId)

const StartedSession = Schema.Struct({ member_id: MemberId, began_with: SessionStart, created_at: Schema.Date })
const started = rowsOf(StartedSession)
