import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { ConnectionNotFound, InvalidInput } from "../Api/Errors.ts"
import { GrantNotFound, MemberNotFound } from "../Api/ManagementErrors.ts"
import { Audit, type AuditedChange, auditedEdit, ifMade } from "../Audit/Audit.ts"
import { ConnectionRepo } from "../Connections/ConnectionRepo.ts"
import { budgetText } from "../Domain/Access/Budget.ts"
import { Grant, type GrantChange, type NewGrant } from "../Domain/Access/Grant.ts"
import { ClientId, type ConnectionId, GrantId, type MemberId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { CurrentScope, type ManagementScope } from "../Domain/Request/ManagementScope.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { rowsOf, selectNewest } from "../Sql/Rows.ts"

/** Grants outside of `CurrentScope` count as missing. `resources` are in their canonical spelling. */
export class Grants extends Context.Service<Grants, {
  /** Fails unless the member sees every connection. Also for `change`. */
  readonly create: (grant: NewGrant) => Effect.Effect<Grant, MemberNotFound | ConnectionNotFound>
  readonly find: (id: string) => Effect.Effect<Grant, GrantNotFound>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Grant>>
  /** The member's unrevoked grants for this agent, by id or name, newest first. */
  readonly ofAgent: (memberId: MemberId, agent: NewGrant["agent"]) => Effect.Effect<ReadonlyArray<Grant>>
  /** A revoked grant cannot be changed. */
  readonly change: (
    id: string,
    change: GrantChange
  ) => Effect.Effect<Grant, GrantNotFound | ConnectionNotFound | InvalidInput>
  /** Also deletes the grant's tokens. Does nothing if the grant is revoked. */
  readonly revoke: (id: string) => Effect.Effect<Grant, GrantNotFound>
  readonly revokeAllOf: (memberId: MemberId) => Effect.Effect<void>
}>()("openaccounts/Management/Grants") {
  static readonly layer = Layer.effect(
    Grants,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const invalidation = yield* Invalidation
      const connections = yield* ConnectionRepo

      const columns = sql`id, member_id, json_build_object('name', agent_name, 'client_id', agent_client_id) AS agent,
        access, connection_ids, resources, writes, undo, budget, created_at, last_used_at, revoked_at`

      const within = ({ memberId }: ManagementScope) => memberId === null ? sql`true` : sql`member_id = ${memberId}`

      const publish = (id: GrantId) => invalidation.publish({ table: "grants", id })

      const find = Effect.fn("Grants.find")(function*(id: string, lock = sql``) {
        const found = yield* grants.first(
          sql`SELECT ${columns} FROM grants WHERE id = ${id} AND ${within(yield* CurrentScope)} ${lock}`
        )
        return Option.isSome(found) ? found.value : yield* new GrantNotFound()
      })

      const requireVisible = Effect.fnUntraced(function*(memberId: MemberId, ids: ReadonlyArray<string> | null) {
        const member = yield* limits.first(sql`SELECT client_ids FROM members WHERE id = ${memberId}`)
        if (Option.isNone(member)) return yield* new MemberNotFound()
        if (ids === null) return null
        const visible = new Map<string, ConnectionId>(
          (yield* connections.list(member.value.client_ids, {})).map(({ id }) => [id, id])
        )
        return yield* Effect.forEach(new Set(ids), (id) => {
          const found = visible.get(id)
          return found === undefined
            ? Effect.fail(new ConnectionNotFound({ message: `The member sees no connection with the id "${id}".` }))
            : Effect.succeed(found)
        })
      })

      const revokeAll = Effect.fnUntraced(function*(which: Fragment) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const revoked = yield* audit.change(
          grants.all(sql`
            WITH no_tokens AS (DELETE FROM oauth_tokens WHERE grant_id IN (SELECT id FROM grants WHERE ${which}))
            UPDATE grants SET revoked_at = ${now} WHERE ${which} AND revoked_at IS NULL RETURNING ${columns}`),
          (revoked) => revoked.map((grant) => beganOrEnded("grant.revoked", grant))
        )
        yield* Effect.forEach(revoked, ({ id }) => publish(id), { discard: true })
      })

      return Grants.of({
        create: Effect.fn("Grants.create")(function*(
          { access, agent, connectionIds, memberId, resources = null, undo = true, writes = "allow" }
        ) {
          const scope = yield* CurrentScope
          if (scope.memberId !== null && scope.memberId !== memberId) return yield* new MemberNotFound()
          const ids = yield* requireVisible(memberId, connectionIds)
          const id = GrantId.make(yield* newId("gra"))
          const now = new Date(yield* Clock.currentTimeMillis)
          const created = yield* audit.change(
            grants.first(sql`
              INSERT INTO grants (id, member_id, agent_name, agent_client_id, access, connection_ids, resources,
                writes, undo, created_at)
              SELECT ${id}, members.id, ${agent.name}, ${agent.clientId}, ${access},
                ${ids && textArray(ids)}::text[], ${resources && textArray(resources)}::text[], ${writes},
                ${undo}::boolean, ${now}::timestamptz
              FROM members WHERE members.id = ${memberId} FOR SHARE RETURNING ${columns}`),
            ifMade((grant) => beganOrEnded("grant.created", grant))
          )
          return Option.isSome(created) ? created.value : yield* new MemberNotFound()
        }),

        find: (id) => find(id),

        list: (page) =>
          Effect.flatMap(
            CurrentScope,
            (scope) =>
              selectNewest(sql, page, (after, end) =>
                grants.all(sql`SELECT ${columns} FROM grants WHERE ${after} AND ${within(scope)} ${end}`))
          ),

        ofAgent: Effect.fn("Grants.ofAgent")(function*(memberId, { clientId, name }) {
          const scope = yield* CurrentScope
          return yield* grants.all(sql`SELECT ${columns} FROM grants
            WHERE member_id = ${memberId} AND (agent_client_id = ${clientId} OR agent_name = ${name})
              AND revoked_at IS NULL AND ${within(scope)}
            ORDER BY id DESC`)
        }),

        change: Effect.fn("Grants.change")(function*(id, { access, budget, connection_ids, resources, undo, writes }) {
          const { member_id } = yield* find(id)
          const ids = connection_ids === undefined
            ? undefined
            : yield* Effect.catchTag(requireVisible(member_id, connection_ids), "MemberNotFound", () => revokedGrant)
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const before = yield* find(id, sql`FOR UPDATE`)
              if (before.revoked_at !== null) return yield* revokedGrant
              const updates = {
                access: access ?? before.access,
                connection_ids: ids === undefined ? before.connection_ids : ids,
                resources: resources === undefined ? before.resources : resources,
                writes: writes ?? before.writes,
                undo: undo ?? before.undo,
                budget: budget === undefined ? before.budget : budget
              }
              yield* Effect.orDie(sql`
                UPDATE grants SET access = ${updates.access},
                  connection_ids = ${updates.connection_ids && textArray(updates.connection_ids)}::text[],
                  resources = ${updates.resources && textArray(updates.resources)}::text[],
                  writes = ${updates.writes}, undo = ${updates.undo},
                  budget = ${budgetText(updates.budget)}::jsonb
                WHERE id = ${id}`)
              return { before, after: { ...before, ...updates } }
            }),
            ({ after, before }) =>
              auditedEdit({ action: "grant.changed", subject: after.id }, detailsOf(before), detailsOf(after))
          )
          yield* publish(after.id)
          return after
        }),

        revoke: Effect.fn("Grants.revoke")(function*(id) {
          yield* find(id)
          yield* revokeAll(sql`id = ${id}`)
          return yield* find(id)
        }),

        revokeAllOf: Effect.fn("Grants.revokeAllOf")((memberId) => revokeAll(sql`member_id = ${memberId}`))
      })
    })
  )
}

const revokedGrant = Effect.fail(
  new InvalidInput({
    message: "The grant is revoked and cannot be changed. The agent has to ask for a new one.",
    details: [{ path: ["id"], message: "This grant is revoked" }]
  })
)

const detailsOf = ({ access, agent, budget, connection_ids, member_id, resources, undo, writes }: Grant) => ({
  member_id,
  agent,
  access,
  connection_ids,
  resources,
  writes,
  undo,
  budget
})

const beganOrEnded = (type: "grant.created" | "grant.revoked", grant: Grant): AuditedChange => ({
  action: type,
  subject: grant.id,
  details: detailsOf(grant),
  event: { type, data: { grant } }
})

const limits = rowsOf(Schema.Struct({ client_ids: Schema.NullOr(Schema.Array(ClientId)) }))

const grants = rowsOf(Schema.toType(Grant))
