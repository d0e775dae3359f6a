import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { Forbidden, InvalidInput, type RateLimited } from "../Api/Errors.ts"
import { type ClientNotFound, KeyNotFound, MemberNotFound } from "../Api/ManagementErrors.ts"
import { Audit, auditedEdit, ifMade } from "../Audit/Audit.ts"
import { ClientRepo } from "../Auth/ClientRepo.ts"
import { KeyRepo } from "../Auth/KeyRepo.ts"
import { MemberRepo } from "../Auth/MemberRepo.ts"
import { overMemberShare } from "../Capacity/Capacity.ts"
import type { ApiKey, CreatedApiKey, KeyChange, NewApiKey } from "../Domain/Access/ApiKey.ts"
import { newKeyRights } from "../Domain/Access/Rights.ts"
import { type ClientId, KeyId, MemberId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { CurrentActor } from "../Domain/Request/Actor.ts"
import { CurrentScope, type ManageArea, type ManagementScope } from "../Domain/Request/ManagementScope.ts"
import { generateApiKey, hashToken, hintOf } from "../Secrets/IssuedSecrets.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { clientNotFound } from "./Clients.ts"
import { keyChanged, keyDetails } from "./KeyChange.ts"

const maxLiveKeys = 100
const tooManyKeys = `The member has ${maxLiveKeys} live keys. Revoke one that is not used, then make a new one.`

/** `resources` are in their canonical spelling. A new key has a member or a client, and `expires_at` is in the future. */
export class Keys extends Context.Service<Keys, {
  readonly create: (
    key: NewApiKey
  ) => Effect.Effect<CreatedApiKey, ClientNotFound | MemberNotFound | InvalidInput | Forbidden | RateLimited>
  readonly list: (page: PageRequest) => Effect.Effect<Page<ApiKey>>
  /** A revoked key cannot be changed. */
  readonly change: (
    id: string,
    change: KeyChange
  ) => Effect.Effect<ApiKey, KeyNotFound | InvalidInput | Forbidden | RateLimited>
  readonly revoke: (id: string) => Effect.Effect<ApiKey, KeyNotFound>
  /** The keys of members who see this client alone; with `null`, every key. Returns how many were not revoked yet. */
  readonly revokeOf: (clientId: ClientId | null) => Effect.Effect<number>
}>()("openaccounts/Management/Keys") {
  static readonly layer = Layer.effect(
    Keys,
    Effect.gen(function*() {
      const audit = yield* Audit
      const invalidation = yield* Invalidation
      const keys = yield* KeyRepo
      const clients = yield* ClientRepo
      const members = yield* MemberRepo

      const requireRoom = Effect.fnUntraced(function*(memberId: string, now: Date, except = "") {
        if ((yield* CurrentActor).type !== "member") return
        const live = yield* keys.countLive(memberId, { now, except, limit: maxLiveKeys })
        if (live >= maxLiveKeys) return yield* overMemberShare(tooManyKeys, 60)
      })

      const requireManageable = Effect.fnUntraced(function*(
        { client_id, member_id }: Owner,
        manage: ReadonlyArray<ManageArea>
      ) {
        if (!manage.includes("webhooks")) return
        const member = yield* members.find(member_id ?? null)
        if (typeof client_id === "string" || Option.isSome(member) && member.value.client_ids !== null) {
          return yield* InvalidInput.at("manage", webhooksOfLimited)
        }
      })

      /** The member behind the keys of the client, which is made with the first. In a transaction, the client stays. */
      const memberOf = Effect.fnUntraced(function*(id: string, now: Date) {
        const client = yield* clients.find(id, { lock: "FOR SHARE" })
        if (Option.isNone(client)) return yield* clientNotFound(id)
        yield* members.insertOfClient({ id: MemberId.make(yield* newId("mem")), created_at: now }, client.value.id)
        return Option.getOrThrow(yield* members.ofClient(client.value.id))
      })

      return Keys.of({
        create: Effect.fn("Keys.create")(
          function*({
            access = "read_only",
            client_id,
            expires_at = null,
            manage = [],
            member_id,
            name,
            ...rights
          }) {
            const secret = generateApiKey()
            const now = new Date(yield* Clock.currentTimeMillis)
            const scope = yield* CurrentScope
            if (scope.memberId !== null && client_id !== undefined) return yield* onlyAdmins
            if (scope.memberId !== null && scope.memberId !== member_id) return yield* new MemberNotFound()
            const manageAs = yield* requireRight(scope, manage)
            yield* requireManageable({ client_id, member_id }, manage)
            const created = yield* audit.change(
              Effect.gen(function*() {
                const owner = client_id === undefined ? member_id ?? "" : yield* memberOf(client_id, now)
                yield* requireRoom(owner, now)
                return yield* keys.insert({
                  id: KeyId.make(yield* newId("key")),
                  member_id: owner,
                  client_id: client_id ?? null,
                  name,
                  access,
                  hash: Buffer.from(hashToken(secret), "hex"),
                  hint: hintOf(secret),
                  expires_at,
                  manage: [...new Set(manage)],
                  manageAs,
                  ...newKeyRights,
                  ...rights,
                  created_at: now
                })
              }),
              ifMade((key) => keyChanged("key.created", key))
            )
            if (Option.isNone(created)) return yield* new MemberNotFound()
            return { ...created.value, key: Redacted.value(secret) }
          }
        ),

        list: (page) => Effect.flatMap(CurrentScope, ({ memberId }) => keys.list(memberId, page)),

        change: Effect.fn("Keys.change")(function*(id, change) {
          const { expires_at, manage } = change
          const now = new Date(yield* Clock.currentTimeMillis)
          const scope = yield* CurrentScope
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const found = yield* keys.find(id, scope.memberId, "FOR UPDATE")
              if (Option.isNone(found)) return yield* new KeyNotFound()
              const before = found.value
              if (before.revoked_at !== null) return yield* revokedKey
              const after: ApiKey = {
                ...before,
                ...change,
                manage: manage === undefined ? before.manage : [...new Set(manage)]
              }
              if (expires_at !== undefined) yield* requireRoom(before.member_id, now, id)
              // A member may keep and take away what an admin gave.
              const isGiven = manage !== undefined &&
                (scope.memberId === null || after.manage.some((area) => !before.manage.includes(area)))
              const manageAs = isGiven ? yield* requireRight(scope, after.manage) : undefined
              if (isGiven) yield* requireManageable(before, after.manage)
              yield* keys.update(after, now, manageAs === undefined ? undefined : { manageAs })
              return { before, after }
            }),
            ({ after, before }) => {
              const event = { type: "key.changed", data: { key: after } } as const
              return auditedEdit({ action: event.type, subject: id, event }, keyDetails(before), keyDetails(after))
            }
          )
          yield* invalidation.publish({ table: "keys", id })
          return after
        }),

        revoke: Effect.fn("Keys.revoke")(function*(id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const { memberId } = yield* CurrentScope
          const revoked = yield* audit.change(
            keys.revoke(id, memberId, now),
            ifMade((key) => keyChanged("key.revoked", key))
          )
          const key = Option.isSome(revoked) ? revoked : yield* keys.find(id, memberId)
          if (Option.isNone(key)) return yield* new KeyNotFound()
          yield* invalidation.publish({ table: "keys", id })
          return key.value
        }),

        revokeOf: Effect.fn("Keys.revokeOf")(function*(clientId) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const revoked = yield* audit.change(
            keys.revokeOfClient(clientId, now),
            (keys) => keys.map((key) => keyChanged("key.revoked", key))
          )
          // A change of one key ends what is cached of all.
          yield* Effect.forEach(revoked.slice(0, 1), ({ id }) => invalidation.publish({ table: "keys", id }))
          return revoked.length
        })
      })
    })
  )
}

/** Returns the role as which a key manages: a member gives no right that it lacks itself. */
const requireRight = ({ memberId }: ManagementScope, manage: ReadonlyArray<ManageArea>) => {
  if (memberId === null) return Effect.succeed("admin" as const)
  return manage.includes("webhooks")
    ? Effect.fail(new Forbidden({ message: "Only an admin may give a key the right to manage webhooks." }))
    : Effect.succeed("member" as const)
}

interface Owner {
  readonly member_id: string | undefined
  readonly client_id: string | null | undefined
}

const onlyAdmins = Effect.fail(new Forbidden({ message: "Only an admin may make a key for a client." }))

const revokedKey = Effect.fail(
  new InvalidInput({
    message: "The key is revoked and cannot be changed. Make a new one.",
    details: [{ path: ["id"], message: "This key is revoked" }]
  })
)

const webhooksOfLimited = "Webhooks tell of every client, so `webhooks` needs a member whose `client_ids` is null"
