import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { type ClientNotFound, MemberNotFound } from "../Api/Errors.ts"
import { KeyId, MemberId } from "../Domain/Ids.ts"
import { Member, type MemberChange, type NewMember } from "../Domain/Member.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { Audit, changesBetween } from "../Members/Audit.ts"
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
      const audit = yield* Audit
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
          yield* audit.change(
            Effect.orDie(sql`INSERT INTO members ${sql.insert(row(member))}`),
            () => [{ action: "member.created", subject: member.id, details: detailsOf(member) }]
          )
          return member
        }),

        list: ({ cursor, limit }) =>
          selectPage(limit, (count) =>
            members.all(sql`SELECT ${columns} FROM members
              WHERE ${cursor === undefined ? sql`true` : sql`id < ${cursor}`} ORDER BY id DESC LIMIT ${count}`)),

        change: Effect.fn("Members.change")(function*(id, { client_ids, ...change }) {
          const limited = client_ids === undefined ? {} : { client_ids: yield* limits(client_ids) }
          const updates = row({ ...change, ...limited })
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const before = yield* found(
                members.first(sql`SELECT ${columns} FROM members WHERE id = ${id} FOR UPDATE`)
              )
              const after = Object.keys(updates).length === 0 ? before : yield* found(members.first(
                sql`UPDATE members SET ${sql.update(updates)} WHERE id = ${id} RETURNING ${columns}`
              ))
              return { before, after }
            }),
            ({ after, before }) => {
              const details = changesBetween(detailsOf(before), detailsOf(after))
              return Object.keys(details).length === 0 ? [] : [{ action: "member.changed", subject: id, details }]
            }
          )
          yield* invalidation.publish({ table: "members", id })
          return after
        }),

        delete: Effect.fn("Members.delete")(function*(id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          yield* audit.change(
            Effect.gen(function*() {
              const member = yield* found(members.first(sql`DELETE FROM members WHERE id = ${id} RETURNING ${columns}`))
              const keys = yield* revokedKeys.all(sql`
                UPDATE keys SET revoked_at = ${now} WHERE member_id = ${id} AND revoked_at IS NULL RETURNING id, name`)
              return { keys, member }
            }),
            ({ keys, member }) => [
              ...keys.map((key) => ({
                action: "key.revoked" as const,
                subject: key.id,
                details: { name: key.name, member_id: id }
              })),
              { action: "member.deleted", subject: id, details: detailsOf(member) }
            ]
          )
          yield* invalidation.publish({ table: "members", id })
        })
      })
    })
  )
}

const row = <A extends { readonly client_ids?: ReadonlyArray<string> | null }>(member: A) =>
  member.client_ids ? { ...member, client_ids: textArray(member.client_ids) } : { ...member }

const found = <A>(row: Effect.Effect<Option.Option<A>>) =>
  Effect.flatMap(row, Option.match({ onNone: () => Effect.fail(new MemberNotFound()), onSome: Effect.succeed }))

const detailsOf = ({ client_ids, email, name }: Member) => ({ email, name, client_ids })

const revokedKeys = rowsOf(Schema.Struct({ id: KeyId, name: Schema.String }))

const members = rowsOf(Schema.toType(Member))
