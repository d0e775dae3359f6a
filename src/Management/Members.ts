import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ClientNotFound, MemberNotFound } from "../Api/Errors.ts"
import { MemberId } from "../Domain/Ids.ts"
import { Member, type MemberChange, type NewMember } from "../Domain/Member.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { textArray } from "../Sql/BulkInsert.ts"
import { Invalidation } from "../Sql/Invalidation.ts"
import { rowsOf, selectPage } from "../Sql/Rows.ts"
import { Clients } from "./Clients.ts"

export class Members extends Context.Service<Members, {
  readonly create: (member: NewMember) => Effect.Effect<Member, ClientNotFound>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Member>>
  readonly change: (id: string, change: MemberChange) => Effect.Effect<Member, MemberNotFound | ClientNotFound>
  /** Also revokes the member's keys. */
  readonly delete: (id: string) => Effect.Effect<void, MemberNotFound>
}>()("openaccounts/Management/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const invalidation = yield* Invalidation
      const clients = yield* Clients
      const columns = sql`id, email, name, client_ids, created_at`

      const limits = (ids: ReadonlyArray<string> | null) =>
        ids === null ? Effect.succeed(null) : clients.requireIds([...new Set(ids)])

      return Members.of({
        create: Effect.fn("Members.create")(function*({ client_ids = null, email, name = null }) {
          const member: Member = {
            id: MemberId.make(yield* newId("mem")),
            email,
            name,
            client_ids: yield* limits(client_ids),
            created_at: new Date(yield* Clock.currentTimeMillis)
          }
          yield* Effect.orDie(sql`INSERT INTO members ${sql.insert(row(member))}`)
          return member
        }),

        list: ({ cursor, limit }) =>
          selectPage(limit, (count) =>
            members.all(sql`SELECT ${columns} FROM members
              WHERE ${cursor === undefined ? sql`true` : sql`id < ${cursor}`} ORDER BY id DESC LIMIT ${count}`)),

        change: Effect.fn("Members.change")(function*(id, { client_ids, ...change }) {
          const limited = client_ids === undefined ? {} : { client_ids: yield* limits(client_ids) }
          const updates = row({ ...change, ...limited })
          const changed = yield* members.first(
            Object.keys(updates).length === 0
              ? sql`SELECT ${columns} FROM members WHERE id = ${id}`
              : sql`UPDATE members SET ${sql.update(updates)} WHERE id = ${id} RETURNING ${columns}`
          )
          if (Option.isNone(changed)) return yield* new MemberNotFound()
          yield* invalidation.publish({ table: "members", id })
          return changed.value
        }),

        delete: Effect.fn("Members.delete")(function*(id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const rows = yield* Effect.orDie(sql`
            WITH revoked AS (
              UPDATE keys SET revoked_at = ${now} WHERE member_id = ${id} AND revoked_at IS NULL
            )
            DELETE FROM members WHERE id = ${id} RETURNING id`)
          if (rows.length === 0) return yield* new MemberNotFound()
          yield* invalidation.publish({ table: "members", id })
        })
      })
    })
  )
}

const row = <A extends { readonly client_ids?: ReadonlyArray<string> | null }>(member: A) =>
  member.client_ids ? { ...member, client_ids: textArray(member.client_ids) } : { ...member }

const members = rowsOf(Schema.toType(Member))
