import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { Grant } from "../Domain/Access/Grant.ts"
import type { Rights } from "../Domain/Access/Rights.ts"
import type { MemberId } from "../Domain/Ids.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { type Lock, lockOf, rowsOf, selectNewest } from "../Sql/Rows.ts"
import { boundedAt, rightsColumns, rightsValues } from "./RightsColumns.ts"

/** `null`: the grants of every member. */
type Within = MemberId | null

interface Granted extends Rights, Pick<Grant, "access" | "connection_ids"> {}

/** The table `grants`, whose tokens are in `oauth_tokens`. */
export class GrantRepo extends Context.Service<GrantRepo, {
  /** None if the member does not exist. */
  readonly insert: (
    grant: Granted & Pick<Grant, "id" | "member_id" | "agent" | "created_at">
  ) => Effect.Effect<Option.Option<Grant>>
  readonly find: (id: string, within: Within, lock?: Lock) => Effect.Effect<Option.Option<Grant>>
  readonly list: (within: Within, page: PageRequest) => Effect.Effect<Page<Grant>>
  /** The member's unrevoked grants for this agent, by id or name, newest first. */
  readonly ofAgent: (
    memberId: MemberId,
    agent: Grant["agent"],
    within: Within
  ) => Effect.Effect<ReadonlyArray<Grant>>
  readonly update: (id: string, rights: Granted, now: Date) => Effect.Effect<void>
  /** Also deletes the tokens. Returns those that were not revoked yet. */
  readonly revoke: (id: string, now: Date) => Effect.Effect<ReadonlyArray<Grant>>
  readonly revokeAllOf: (memberId: MemberId, now: Date) => Effect.Effect<ReadonlyArray<Grant>>
}>()("openaccounts/Auth/GrantRepo") {
  static readonly layer = Layer.effect(
    GrantRepo,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql`id, member_id, json_build_object('name', agent_name, 'client_id', agent_client_id) AS agent,
        access, connection_ids, ${rightsColumns(sql)}, created_at, last_used_at, revoked_at`
      const isWithin = (memberId: Within) => memberId === null ? sql`true` : sql`member_id = ${memberId}`

      const revokeWhere = (which: Fragment, now: Date) =>
        grants.all(sql`
          WITH no_tokens AS (DELETE FROM oauth_tokens WHERE grant_id IN (SELECT id FROM grants WHERE ${which}))
          UPDATE grants SET revoked_at = ${now} WHERE ${which} AND revoked_at IS NULL RETURNING ${columns}`)

      return GrantRepo.of({
        insert: ({ access, agent, connection_ids, created_at, id, member_id, ...rights }) =>
          grants.first(sql`
            INSERT INTO grants (id, member_id, agent_name, agent_client_id, access, connection_ids,
              ${rightsColumns(sql)}, created_at)
            SELECT ${id}, members.id, ${agent.name}, ${agent.client_id}, ${access},
              ${textArray(connection_ids)}::text[], ${rightsValues(sql, rights)}, ${created_at}::timestamptz
            FROM members WHERE members.id = ${member_id} FOR SHARE RETURNING ${columns}`),

        find: (id, within, lock) =>
          grants.first(
            sql`SELECT ${columns} FROM grants WHERE id = ${id} AND ${isWithin(within)} ${lockOf(sql, lock)}`
          ),

        list: (within, page) =>
          selectNewest(
            sql,
            page,
            (after, end) => grants.all(sql`SELECT ${columns} FROM grants WHERE ${after} AND ${isWithin(within)} ${end}`)
          ),

        ofAgent: (memberId, { client_id, name }, within) =>
          grants.all(sql`
            SELECT ${columns} FROM grants
            WHERE member_id = ${memberId} AND (agent_client_id = ${client_id} OR agent_name = ${name})
              AND revoked_at IS NULL AND ${isWithin(within)}
            ORDER BY id DESC`),

        update: (id, { access, connection_ids, ...rights }, now) =>
          Effect.orDie(Effect.asVoid(sql`
            UPDATE grants SET access = ${access}, bounded_at = ${boundedAt(sql, rights, now)},
              connection_ids = ${textArray(connection_ids)}::text[],
              (${rightsColumns(sql)}) = ROW(${rightsValues(sql, rights)})
            WHERE id = ${id}`)),

        revoke: (id, now) => revokeWhere(sql`id = ${id}`, now),

        revokeAllOf: (memberId, now) => revokeWhere(sql`member_id = ${memberId}`, now)
      })
    })
  )
}

const grants = rowsOf(Schema.toType(Grant))
