import { Clock, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { InvalidInput } from "../Api/Errors.ts"
import { type ClientNotFound, type EmailTaken, LastAdmin, MemberNotFound } from "../Api/ManagementErrors.ts"
import { Audit, auditedEdit } from "../Audit/Audit.ts"
import { GrantRepo } from "../Auth/GrantRepo.ts"
import { KeyRepo } from "../Auth/KeyRepo.ts"
import { MemberRepo } from "../Auth/MemberRepo.ts"
import { type ClientId, MemberId } from "../Domain/Ids.ts"
import type { Member, MemberChange, NewMember, Role } from "../Domain/Member.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import type { Issue } from "../Domain/Validation/Issue.ts"
import { advisoryLock, withLock } from "../Sql/AdvisoryLock.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { Clients } from "./Clients.ts"
import { grantChanged } from "./GrantChange.ts"
import { keyChanged } from "./KeyChange.ts"

const lock = advisoryLock("admins", 7_226_920)

export class Members extends Context.Service<Members, {
  readonly create: (
    member: NewMember,
    id?: MemberId
  ) => Effect.Effect<Member, ClientNotFound | InvalidInput | EmailTaken>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Member>>
  readonly change: (
    id: string,
    change: MemberChange
  ) => Effect.Effect<Member, MemberNotFound | ClientNotFound | InvalidInput | EmailTaken | LastAdmin>
  /** How many members have the client in their list. */
  readonly countOf: (clientId: ClientId) => Effect.Effect<number>
  /** Takes the client from the lists of all members, and revokes the keys that were made for it. */
  readonly removeClient: (clientId: ClientId) => Effect.Effect<void>
  readonly delete: (id: string) => Effect.Effect<void, MemberNotFound | LastAdmin>
}>()("openaccounts/Management/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const invalidation = yield* Invalidation
      const clients = yield* Clients
      const grants = yield* GrantRepo
      const keys = yield* KeyRepo
      const members = yield* MemberRepo

      const limits = Effect.fnUntraced(function*(role: Role, ids: ReadonlyArray<string> | null) {
        if (ids === null) return null
        const details = issuesOfLimits({ role, client_ids: ids })
        if (details.length > 0) return yield* new InvalidInput({ details })
        return yield* clients.requireIds([...new Set(ids)])
      })

      const locked = (id: string) =>
        Effect.flatMap(
          members.find(id, "FOR UPDATE"),
          Option.match({ onNone: () => Effect.fail(new MemberNotFound()), onSome: Effect.succeed })
        )

      const requireOtherAdmin = (id: string) =>
        withLock(
          lock,
          Effect.flatMap(
            members.admins,
            (admins) => admins.some((admin) => admin !== id) ? Effect.void : Effect.fail(new LastAdmin())
          )
        ).pipe(Effect.provideService(SqlClient.SqlClient, sql), Effect.catchTag("SqlError", Effect.die))

      const deleteOfClient = Effect.fnUntraced(function*(id: MemberId) {
        const now = new Date(yield* Clock.currentTimeMillis)
        yield* audit.change(
          Effect.andThen(members.delete(id), keys.revokeAllOf(id, now)),
          (revoked) => revoked.map((key) => keyChanged("key.revoked", key))
        )
      })

      return Members.of({
        create: Effect.fn("Members.create")(
          function*({ budget = null, client_ids, email, name = null, role = "member" }, id) {
            const member: Member = {
              id: id ?? MemberId.make(yield* newId("mem")),
              email,
              name,
              role,
              client_ids: yield* limits(role, client_ids === undefined && role === "member" ? [] : client_ids ?? null),
              budget,
              created_at: new Date(yield* Clock.currentTimeMillis)
            }
            yield* audit.change(
              members.insert(member),
              () => [{ action: "member.created", subject: member.id, details: detailsOf(member) }]
            )
            return member
          }
        ),

        list: members.list,

        change: Effect.fn("Members.change")(function*(id, { client_ids, ...change }) {
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const before = yield* locked(id)
              const role = change.role ?? before.role
              const isDemoted = before.role === "admin" && role === "member"
              // Seeing every client was a right of the admin.
              const ids = client_ids === undefined && isDemoted ? [] : client_ids
              const limited = ids === undefined ? {} : { client_ids: yield* limits(role, ids) }
              if (isDemoted) {
                yield* requireOtherAdmin(id)
                yield* keys.demoteAllOf(before.id)
              }
              const updates = { ...change, ...(role === "admin" ? { client_ids: null } : limited) }
              if (Object.keys(updates).length > 0) yield* members.update(id, updates)
              return { before, after: yield* locked(id) }
            }),
            ({ after, before }) =>
              auditedEdit({ action: "member.changed", subject: id }, detailsOf(before), detailsOf(after))
          )
          yield* invalidation.publish({ table: "members", id })
          return after
        }),

        countOf: members.countOf,

        removeClient: Effect.fn("Members.removeClient")(function*(clientId) {
          const without = ({ client_ids }: Member) => client_ids?.filter((id) => id !== clientId) ?? null
          const changed = yield* audit.change(
            members.removeClient(clientId),
            (changed) =>
              changed.map((member) => ({
                action: "member.changed",
                subject: member.id,
                details: { client_ids: { from: member.client_ids, to: without(member) } }
              }))
          )
          const own = yield* members.ofClient(clientId)
          if (Option.isSome(own)) yield* deleteOfClient(own.value)
          yield* Effect.forEach(
            [...changed.map(({ id }) => id), ...Option.toArray(own)],
            (id) => invalidation.publish({ table: "members", id }),
            { discard: true }
          )
        }),

        delete: Effect.fn("Members.delete")(function*(id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          yield* audit.change(
            Effect.gen(function*() {
              const member = yield* locked(id)
              if (member.role === "admin") yield* requireOtherAdmin(id)
              yield* members.delete(member.id)
              return {
                member,
                revokedGrants: yield* grants.revokeAllOf(member.id, now),
                revokedKeys: yield* keys.revokeAllOf(member.id, now)
              }
            }),
            ({ member, revokedGrants, revokedKeys }) => [
              ...revokedGrants.map((grant) => grantChanged("grant.revoked", grant)),
              ...revokedKeys.map((key) => keyChanged("key.revoked", key)),
              { action: "member.deleted", subject: id, details: detailsOf(member) }
            ]
          )
          yield* invalidation.publish({ table: "members", id })
        })
      })
    })
  ).pipe(Layer.provide(Clients.layer))
}

const detailsOf = ({ budget, client_ids, email, name, role }: Member) => ({ email, name, role, client_ids, budget })

export const issuesOfLimits = (
  { client_ids = null, role }: Partial<Pick<NewMember, "client_ids" | "role">>
): ReadonlyArray<Issue> =>
  role === "admin" && client_ids !== null
    ? [{ path: ["client_ids"], message: "An admin sees every client: pass `null`, or no `client_ids`" }]
    : []
