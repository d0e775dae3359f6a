import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { InvalidInput } from "../Api/Errors.ts"
import { type ClientNotFound, EmailTaken, LastAdmin, MemberNotFound } from "../Api/ManagementErrors.ts"
import { Audit, auditedEdit } from "../Audit/Audit.ts"
import { type Budget, budgetText } from "../Domain/Access/Budget.ts"
import { type ClientId, MemberId } from "../Domain/Ids.ts"
import { Member, type MemberChange, type NewMember, type Role } from "../Domain/Member.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { advisoryLock, withLock } from "../Sql/AdvisoryLock.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { rowsOf, selectNewest } from "../Sql/Rows.ts"
import { Clients } from "./Clients.ts"
import { Grants } from "./Grants.ts"
import { keyChanged, keyColumns, keyRows } from "./KeyRows.ts"

const lock = advisoryLock("admins", 7_226_920)

export class Members extends Context.Service<Members, {
  readonly create: (member: NewMember) => Effect.Effect<Member, ClientNotFound | InvalidInput | EmailTaken>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Member>>
  readonly change: (
    id: string,
    change: MemberChange
  ) => Effect.Effect<Member, MemberNotFound | ClientNotFound | InvalidInput | EmailTaken | LastAdmin>
  /** How many members have the client in their list. */
  readonly countOf: (clientId: ClientId) => Effect.Effect<number>
  /** Takes the client from the lists of all members. */
  readonly removeClient: (clientId: ClientId) => Effect.Effect<void>
  readonly delete: (id: string) => Effect.Effect<void, MemberNotFound | LastAdmin>
}>()("openaccounts/Management/Members") {
  static readonly layerNoDeps = Layer.effect(
    Members,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const invalidation = yield* Invalidation
      const clients = yield* Clients
      const grants = yield* Grants
      const columns = sql`id, email, name, role, client_ids, budget, created_at`

      const limits = Effect.fnUntraced(function*(role: Role, ids: ReadonlyArray<string> | null) {
        if (ids === null) return null
        if (role === "admin") return yield* InvalidInput.at("client_ids", adminWithLimits)
        return yield* clients.requireIds([...new Set(ids)])
      })

      const locked = (id: string) =>
        found(members.first(sql`SELECT ${columns} FROM members WHERE id = ${id} FOR UPDATE`))

      const requireOtherAdmin = (id: string) =>
        withLock(
          lock,
          Effect.flatMap(
            sql`SELECT 1 FROM members WHERE role = 'admin' AND id <> ${id} LIMIT 1`,
            ({ length }) => length === 1 ? Effect.void : Effect.fail(new LastAdmin())
          )
        ).pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.catchTag("SqlError", Effect.die))

      return Members.of({
        create: Effect.fn("Members.create")(
          function*({ budget = null, client_ids, email, name = null, role = "member" }) {
            const member: Member = {
              id: MemberId.make(yield* newId("mem")),
              email,
              name,
              role,
              client_ids: yield* limits(role, client_ids === undefined && role === "member" ? [] : client_ids ?? null),
              budget,
              created_at: new Date(yield* Clock.currentTimeMillis)
            }
            yield* audit.change(
              refusingTakenEmail(sql`INSERT INTO members ${sql.insert(row(member))}`),
              () => [{ action: "member.created", subject: member.id, details: detailsOf(member) }]
            )
            return member
          }
        ),

        list: (page) =>
          selectNewest(
            sql,
            page,
            (after, end) => members.all(sql`SELECT ${columns} FROM members WHERE ${after} ${end}`)
          ),

        change: Effect.fn("Members.change")(function*(id, { client_ids, ...change }) {
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const before = yield* locked(id)
              const role = change.role ?? before.role
              const limited = client_ids === undefined ? {} : { client_ids: yield* limits(role, client_ids) }
              if (before.role === "admin" && role === "member") yield* requireOtherAdmin(id)
              const updates = row({
                ...change,
                ...(role === "admin" ? { client_ids: null } : limited)
              })
              if (Object.keys(updates).length > 0) {
                yield* refusingTakenEmail(sql`UPDATE members SET ${sql.update(updates)} WHERE id = ${id}`)
              }
              return { before, after: yield* locked(id) }
            }),
            ({ after, before }) =>
              auditedEdit({ action: "member.changed", subject: id }, detailsOf(before), detailsOf(after))
          )
          yield* invalidation.publish({ table: "members", id })
          return after
        }),

        countOf: Effect.fn("Members.countOf")(function*(clientId) {
          const [row] = yield* counts.all(
            sql`SELECT count(*)::integer AS members FROM members WHERE ${clientId} = ANY(client_ids)`
          )
          return row?.members ?? 0
        }),

        removeClient: Effect.fn("Members.removeClient")(function*(clientId) {
          const without = ({ client_ids }: Member) => client_ids?.filter((id) => id !== clientId) ?? null
          const changed = yield* audit.change(
            Effect.gen(function*() {
              const having = sql`${clientId} = ANY(client_ids)`
              const before = yield* members.all(
                sql`SELECT ${columns} FROM members WHERE ${having} ORDER BY id FOR UPDATE`
              )
              yield* Effect.orDie(
                sql`UPDATE members SET client_ids = array_remove(client_ids, ${clientId}) WHERE ${having}`
              )
              return before
            }),
            (changed) =>
              changed.map((member) => ({
                action: "member.changed",
                subject: member.id,
                details: { client_ids: { from: member.client_ids, to: without(member) } }
              }))
          )
          yield* Effect.forEach(changed, ({ id }) => invalidation.publish({ table: "members", id }), { discard: true })
        }),

        delete: Effect.fn("Members.delete")(function*(id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          yield* audit.change(
            Effect.gen(function*() {
              const member = yield* locked(id)
              if (member.role === "admin") yield* requireOtherAdmin(id)
              yield* Effect.orDie(sql`
                WITH
                  signed_out AS (DELETE FROM sessions WHERE member_id = ${id}),
                  no_links AS (DELETE FROM links WHERE member_id = ${id}),
                  no_password AS (DELETE FROM passwords WHERE member_id = ${id}),
                  no_passkeys AS (DELETE FROM passkeys WHERE member_id = ${id}),
                  no_oidc_accounts AS (DELETE FROM oidc_accounts WHERE member_id = ${id}),
                  no_addresses AS (DELETE FROM known_addresses WHERE member_id = ${id})
                DELETE FROM members WHERE id = ${id}`)
              yield* grants.revokeAllOf(member.id)
              const keys = yield* keyRows.all(sql`
                UPDATE keys SET revoked_at = ${now} WHERE member_id = ${id} AND revoked_at IS NULL
                RETURNING ${keyColumns(sql)}`)
              return { keys, member }
            }),
            ({ keys, member }) => [
              ...keys.map((key) => keyChanged("key.revoked", key)),
              { action: "member.deleted", subject: id, details: detailsOf(member) }
            ]
          )
          yield* invalidation.publish({ table: "members", id })
        })
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Clients.layer, Grants.layer]))
}

const row = <A extends { readonly client_ids?: ReadonlyArray<string> | null; readonly budget?: Budget }>(
  member: A
) => ({
  ...member,
  ...member.client_ids ? { client_ids: textArray(member.client_ids) } : {},
  ...member.budget === undefined ? {} : { budget: budgetText(member.budget) }
})

const found = <A>(row: Effect.Effect<Option.Option<A>>) =>
  Effect.flatMap(row, Option.match({ onNone: () => Effect.fail(new MemberNotFound()), onSome: Effect.succeed }))

const refusingTakenEmail = <A>(change: Effect.Effect<A, SqlError>) =>
  Effect.catch(change, (error) => error.reason._tag === "UniqueViolation" ? new EmailTaken() : Effect.die(error))

const detailsOf = ({ budget, client_ids, email, name, role }: Member) => ({ email, name, role, client_ids, budget })

const adminWithLimits = "An admin sees every client: pass `null`, or no `client_ids`"

const members = rowsOf(Schema.toType(Member))
const counts = rowsOf(Schema.Struct({ members: Schema.Int }))
