import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { EmailTaken } from "../Api/ManagementErrors.ts"
import { type Budget, budgetText } from "../Domain/Access/Budget.ts"
import { type ClientId, MemberId } from "../Domain/Ids.ts"
import { Member } from "../Domain/Member.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { countOf, type Lock, lockOf, rowsOf, selectNewest, valuesOf } from "../Sql/Rows.ts"

/** Locks the member until the end of the transaction, so that its keys or links are counted and added in one step. */
export const lockMember = (sql: SqlClient.SqlClient, id: string | null): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`SELECT 1 FROM members WHERE id = ${id} FOR NO KEY UPDATE`)

type Change = Partial<Omit<Member, "id" | "created_at">>

/**
 * The table `members`. `list`, `find`, `findByEmail`, `countOf` and `removeClient` leave out the members behind the keys
 * of clients.
 */
export class MemberRepo extends Context.Service<MemberRepo, {
  readonly insert: (member: Member) => Effect.Effect<void, EmailTaken>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Member>>
  readonly find: (id: string | null, lock?: Lock) => Effect.Effect<Option.Option<Member>>
  /** Locks until the end of the transaction. Also locks a member behind the keys of a client. */
  readonly lock: (id: string | null) => Effect.Effect<void>
  readonly findByEmail: (email: string, lock?: Lock) => Effect.Effect<Option.Option<Member>>
  readonly admins: Effect.Effect<ReadonlyArray<MemberId>>
  readonly update: (id: string, change: Change) => Effect.Effect<void, EmailTaken>
  /** How many members have the client in their list. */
  readonly countOf: (clientId: ClientId) => Effect.Effect<number>
  /** Removes the client from all members. Returns the members that had it, as they were before. */
  readonly removeClient: (clientId: ClientId) => Effect.Effect<ReadonlyArray<Member>>
  /** The member behind the keys of the client. */
  readonly ofClient: (clientId: ClientId) => Effect.Effect<Option.Option<MemberId>>
  /** Inserts the member behind the keys of the client, unless there is one. */
  readonly insertOfClient: (member: Pick<Member, "id" | "created_at">, clientId: ClientId) => Effect.Effect<void>
  /** Also deletes the member's sessions, and runs what `whenDeleted` has added. */
  readonly delete: (id: MemberId) => Effect.Effect<void>
  /** Adds an effect that deletes the member's rows in other tables, in the same transaction. */
  readonly whenDeleted: (remove: (id: MemberId) => Effect.Effect<void>) => Effect.Effect<void>
}>()("openaccounts/Auth/MemberRepo") {
  static readonly layer = Layer.effect(
    MemberRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, email, name, role, client_ids, budget, created_at`
      const isPerson = sql`client_id IS NULL`
      const removals: Array<(id: MemberId) => Effect.Effect<void>> = []

      return MemberRepo.of({
        insert: (member) => refusingTakenEmail(sql`INSERT INTO members ${sql.insert(row(member))}`),

        list: (page) =>
          selectNewest(
            sql,
            page,
            (after, end) => members.all(sql`SELECT ${columns} FROM members WHERE ${isPerson} AND ${after} ${end}`)
          ),

        find: (id, lock) =>
          members.first(sql`SELECT ${columns} FROM members WHERE id = ${id} AND ${isPerson} ${lockOf(sql, lock)}`),

        lock: (id) => Effect.orDie(lockMember(sql, id)),

        findByEmail: (email, lock) =>
          members.first(sql`
            SELECT ${columns} FROM members WHERE lower(email) = lower(${email}) AND ${isPerson} ORDER BY id LIMIT 1
            ${lockOf(sql, lock)}`),

        admins: memberIds.all(sql`SELECT id FROM members WHERE role = 'admin'`),

        update: (id, change) => refusingTakenEmail(sql`UPDATE members SET ${sql.update(row(change))} WHERE id = ${id}`),

        countOf: (clientId) =>
          countOf(sql`SELECT count(*)::integer FROM members WHERE ${clientId} = ANY(client_ids) AND ${isPerson}`),

        removeClient: Effect.fnUntraced(function*(clientId) {
          const having = sql`${clientId} = ANY(client_ids) AND ${isPerson}`
          const before = yield* members.all(
            sql`SELECT ${columns} FROM members WHERE ${having} ORDER BY id FOR UPDATE`
          )
          yield* Effect.orDie(
            sql`UPDATE members SET client_ids = array_remove(client_ids, ${clientId}) WHERE ${having}`
          )
          return before
        }),

        ofClient: (clientId) => memberIds.first(sql`SELECT id FROM members WHERE client_id = ${clientId}`),

        // The member gets no mail: `.invalid` is reserved, RFC 2606.
        insertOfClient: ({ created_at, id }, clientId) =>
          Effect.orDie(Effect.asVoid(sql`
            INSERT INTO members (id, email, client_ids, created_at, client_id)
            VALUES (${id}, ${`${id}@clients.invalid`}, ${textArray([clientId])}, ${created_at}, ${clientId})
            ON CONFLICT (client_id) WHERE client_id IS NOT NULL DO NOTHING`)),

        delete: Effect.fnUntraced(function*(id) {
          yield* Effect.forEach(removals, (remove) => remove(id))
          yield* sql`
            WITH signed_out AS (DELETE FROM sessions WHERE member_id = ${id}) DELETE FROM members WHERE id = ${id}`
        }, Effect.orDie),

        whenDeleted: (remove) =>
          Effect.sync(() => {
            removals.push(remove)
          })
      })
    })
  )
}

const row = <A extends { readonly client_ids?: ReadonlyArray<string> | null; readonly budget?: Budget }>(
  member: A
) => ({
  ...member,
  ...member.client_ids ? { client_ids: textArray(member.client_ids) } : {},
  ...member.budget === undefined ? {} : { budget: budgetText(member.budget) }
})

const refusingTakenEmail = (change: Effect.Effect<unknown, SqlError>) =>
  Effect.asVoid(
    Effect.catch(change, (error) => error.reason._tag === "UniqueViolation" ? new EmailTaken() : Effect.die(error))
  )

const members = rowsOf(Schema.toType(Member))
const memberIds = valuesOf(MemberId)
