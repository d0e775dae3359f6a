import { Clock, Context, Effect, Layer, Option } from "effect"
import { ConnectionNotFound, InvalidInput } from "../../Api/Errors.ts"
import { GrantNotFound, MemberNotFound } from "../../Api/ManagementErrors.ts"
import { Audit, auditedEdit, ifMade } from "../../Audit/Audit.ts"
import { GrantRepo } from "../../Auth/GrantRepo.ts"
import { MemberRepo } from "../../Auth/MemberRepo.ts"
import { ConnectionRepo } from "../../Connections/ConnectionRepo.ts"
import type { Grant, GrantChange, NewGrant } from "../../Domain/Access/Grant.ts"
import { newKeyRights } from "../../Domain/Access/Rights.ts"
import { type ConnectionId, GrantId, type MemberId } from "../../Domain/Ids.ts"
import { newId } from "../../Domain/NewId.ts"
import type { Page, PageRequest } from "../../Domain/Page.ts"
import { CurrentScope } from "../../Domain/Request/ManagementScope.ts"
import { grantChanged, grantDetails } from "../../Management/GrantChange.ts"
import { Invalidation } from "../../Sql/Notify/Invalidation.ts"
import type { Lock } from "../../Sql/Rows.ts"

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
}>()("openaccounts/Features/AgentAccess/Grants") {
  static readonly layer = Layer.effect(
    Grants,
    Effect.gen(function*() {
      const audit = yield* Audit
      const invalidation = yield* Invalidation
      const connections = yield* ConnectionRepo
      const grants = yield* GrantRepo
      const members = yield* MemberRepo

      const publish = (id: GrantId) => invalidation.publish({ table: "grants", id })

      const find = Effect.fn("Grants.find")(function*(id: string, lock?: Lock) {
        const { memberId } = yield* CurrentScope
        const found = yield* grants.find(id, memberId, lock)
        return Option.isSome(found) ? found.value : yield* new GrantNotFound()
      })

      const requireVisible = Effect.fnUntraced(function*(memberId: MemberId, ids: ReadonlyArray<string> | null) {
        const member = yield* members.find(memberId)
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

      return Grants.of({
        create: Effect.fn("Grants.create")(function*({ access, agent, connectionIds, memberId, ...rights }) {
          const scope = yield* CurrentScope
          if (scope.memberId !== null && scope.memberId !== memberId) return yield* new MemberNotFound()
          const created = yield* audit.change(
            grants.insert({
              id: GrantId.make(yield* newId("gra")),
              member_id: memberId,
              agent: { name: agent.name, client_id: agent.clientId },
              access,
              connection_ids: yield* requireVisible(memberId, connectionIds),
              ...newKeyRights,
              undo: true,
              ...rights,
              created_at: new Date(yield* Clock.currentTimeMillis)
            }),
            ifMade((grant) => grantChanged("grant.created", grant))
          )
          return Option.isSome(created) ? created.value : yield* new MemberNotFound()
        }),

        find: (id) => find(id),

        list: (page) => Effect.flatMap(CurrentScope, ({ memberId }) => grants.list(memberId, page)),

        ofAgent: Effect.fn("Grants.ofAgent")(function*(memberId, { clientId, name }) {
          const scope = yield* CurrentScope
          return yield* grants.ofAgent(memberId, { client_id: clientId, name }, scope.memberId)
        }),

        change: Effect.fn("Grants.change")(function*(id, { connection_ids, ...change }) {
          const { member_id } = yield* find(id)
          const ids = connection_ids === undefined
            ? undefined
            : yield* Effect.catchTag(requireVisible(member_id, connection_ids), "MemberNotFound", () => revokedGrant)
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const before = yield* find(id, "FOR UPDATE")
              if (before.revoked_at !== null) return yield* revokedGrant
              const after = { ...before, ...change, connection_ids: ids === undefined ? before.connection_ids : ids }
              yield* grants.update(id, after, new Date(yield* Clock.currentTimeMillis))
              return { before, after }
            }),
            ({ after, before }) =>
              auditedEdit({ action: "grant.changed", subject: after.id }, grantDetails(before), grantDetails(after))
          )
          yield* publish(after.id)
          return after
        }),

        revoke: Effect.fn("Grants.revoke")(function*(id) {
          yield* find(id)
          const now = new Date(yield* Clock.currentTimeMillis)
          const revoked = yield* audit.change(
            grants.revoke(id, now),
            (revoked) => revoked.map((grant) => grantChanged("grant.revoked", grant))
          )
          yield* Effect.forEach(revoked, ({ id }) => publish(id), { discard: true })
          return yield* find(id)
        })
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
