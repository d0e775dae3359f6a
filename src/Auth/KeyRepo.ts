import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { ApiKey } from "../Domain/Access/ApiKey.ts"
import type { ClientId, MemberId } from "../Domain/Ids.ts"
import type { Role } from "../Domain/Member.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { type Lock, lockOf, rowsOf, selectNewest } from "../Sql/Rows.ts"
import { lockMember } from "./MemberRepo.ts"
import { boundedAt, rightsColumns, rightsValues } from "./RightsColumns.ts"

/** `null`: the keys of every member. */
type Within = MemberId | null

interface ManageRole {
  /** The role of the person or key that gave the right to manage. */
  readonly manageAs: Role
}

/** The table `keys`. */
export class KeyRepo extends Context.Service<KeyRepo, {
  /** None if the member does not exist, or is not the one behind the keys of the client. */
  readonly insert: (
    key: Omit<ApiKey, "member_id" | "client_id" | "last_used_at" | "revoked_at"> & ManageRole & {
      readonly member_id: string
      readonly client_id: string | null
      /** The SHA-256 of the secret. */
      readonly hash: Buffer
    }
  ) => Effect.Effect<Option.Option<ApiKey>>
  readonly find: (id: string, within: Within, lock?: Lock) => Effect.Effect<Option.Option<ApiKey>>
  readonly list: (within: Within, page: PageRequest) => Effect.Effect<Page<ApiKey>>
  /**
   * How many live keys the member has besides `except`, at most `limit`. In a transaction, locks the member, so that
   * keys made at the same time count each other.
   */
  readonly countLive: (
    memberId: string,
    options: { readonly now: Date; readonly except: string; readonly limit: number }
  ) => Effect.Effect<number>
  readonly update: (key: ApiKey, now: Date, role?: ManageRole) => Effect.Effect<void>
  /** From now on, the keys manage no more than a member may give. */
  readonly demoteAllOf: (memberId: MemberId) => Effect.Effect<void>
  /** Returns the key unless it was revoked before. */
  readonly revoke: (id: string, within: Within, now: Date) => Effect.Effect<Option.Option<ApiKey>>
  readonly revokeAllOf: (memberId: MemberId, now: Date) => Effect.Effect<ReadonlyArray<ApiKey>>
  /** The keys of members who see this client alone; with `null`, every key. */
  readonly revokeOfClient: (clientId: ClientId | null, now: Date) => Effect.Effect<ReadonlyArray<ApiKey>>
}>()("openaccounts/Auth/KeyRepo") {
  static readonly layer = Layer.effect(
    KeyRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, member_id, client_id, name, access, hint, expires_at, manage, ${rightsColumns(sql)},
        last_used_at, created_at, revoked_at`
      const isWithin = (memberId: Within) => memberId === null ? sql`true` : sql`member_id = ${memberId}`

      const revokeWhere = (which: Fragment, now: Date) =>
        sql`UPDATE keys SET revoked_at = ${now} WHERE ${which} AND revoked_at IS NULL RETURNING ${columns}`

      return KeyRepo.of({
        insert: (key) =>
          keys.first(sql`
            INSERT INTO keys (id, member_id, client_id, name, access, hash, hint, expires_at, manage, manage_as,
              ${rightsColumns(sql)}, created_at)
            SELECT ${key.id}, members.id, members.client_id, ${key.name}, ${key.access}, ${key.hash}, ${key.hint},
              ${key.expires_at}::timestamptz, ${textArray(key.manage)}::text[], ${key.manageAs},
              ${rightsValues(sql, key)}, ${key.created_at}::timestamptz
            FROM members WHERE members.id = ${key.member_id}
              AND members.client_id IS NOT DISTINCT FROM ${key.client_id}::text FOR SHARE RETURNING ${columns}`),

        find: (id, within, lock) =>
          keys.first(sql`SELECT ${columns} FROM keys WHERE id = ${id} AND ${isWithin(within)} ${lockOf(sql, lock)}`),

        list: (within, page) =>
          selectNewest(
            sql,
            page,
            (after, end) => keys.all(sql`SELECT ${columns} FROM keys WHERE ${after} AND ${isWithin(within)} ${end}`)
          ),

        countLive: Effect.fnUntraced(function*(memberId, { except, limit, now }) {
          yield* lockMember(sql, memberId)
          const live = yield* sql`
            SELECT 1 FROM keys
            WHERE member_id = ${memberId} AND id <> ${except} AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > ${now})
            LIMIT ${limit}`
          return live.length
        }, Effect.orDie),

        update: (key, now, role) =>
          Effect.orDie(Effect.asVoid(sql`
            UPDATE keys SET name = ${key.name}, expires_at = ${key.expires_at},
              bounded_at = ${boundedAt(sql, key, now)},
              (${rightsColumns(sql)}) = ROW(${rightsValues(sql, key)}),
              manage = ${textArray(key.manage)} ${role === undefined ? sql`` : sql`, manage_as = ${role.manageAs}`}
            WHERE id = ${key.id}`)),

        demoteAllOf: (memberId) =>
          Effect.orDie(Effect.asVoid(sql`UPDATE keys SET manage_as = 'member' WHERE member_id = ${memberId}`)),

        revoke: (id, within, now) => keys.first(revokeWhere(sql`id = ${id} AND ${isWithin(within)}`, now)),

        revokeAllOf: (memberId, now) => keys.all(revokeWhere(sql`member_id = ${memberId}`, now)),

        revokeOfClient: (clientId, now) =>
          keys.all(revokeWhere(
            clientId === null
              ? sql`true`
              : sql`member_id IN (SELECT id FROM members WHERE client_ids = ${textArray([clientId])})`,
            now
          ))
      })
    })
  )
}

const keys = rowsOf(Schema.toType(ApiKey))
