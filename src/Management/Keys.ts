import { Clock, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Forbidden, InvalidInput, type RateLimited } from "../Api/Errors.ts"
import { KeyNotFound, MemberNotFound } from "../Api/ManagementErrors.ts"
import { Audit, auditedEdit, ifMade } from "../Audit/Audit.ts"
import { overMemberShare } from "../Capacity/Capacity.ts"
import type { ApiKey, CreatedApiKey, KeyChange, NewApiKey } from "../Domain/Access/ApiKey.ts"
import { budgetText } from "../Domain/Access/Budget.ts"
import { type ClientId, KeyId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { CurrentActor } from "../Domain/Request/Actor.ts"
import { CurrentScope, type ManageArea, type ManagementScope } from "../Domain/Request/ManagementScope.ts"
import { generateApiKey, hashApiKey, hintOf } from "../Secrets/ApiKeySecret.ts"
import { textArray } from "../Sql/BulkStatement.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { rowsOf, selectNewest } from "../Sql/Rows.ts"
import { keyChanged, keyColumns, keyDetails, keyRows } from "./KeyRows.ts"

const maxLiveKeys = 100
const tooManyKeys = `The member has ${maxLiveKeys} live keys. Revoke one that is not used, then make a new one.`

/** `resources` are in their canonical spelling. */
export class Keys extends Context.Service<Keys, {
  readonly create: (
    key: NewApiKey
  ) => Effect.Effect<CreatedApiKey, MemberNotFound | InvalidInput | Forbidden | RateLimited>
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
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const invalidation = yield* Invalidation
      const columns = keyColumns(sql)

      const within = ({ memberId }: ManagementScope) => memberId === null ? sql`true` : sql`member_id = ${memberId}`

      /** Locks the member, so that keys made at the same time count each other. Counts no key `except`. */
      const requireRoom = Effect.fnUntraced(function*(memberId: string, now: Date, except = "") {
        if ((yield* CurrentActor).type !== "member") return
        yield* sql`SELECT 1 FROM members WHERE id = ${memberId} FOR NO KEY UPDATE`
        const live = yield* sql`
          SELECT 1 FROM keys
          WHERE member_id = ${memberId} AND id <> ${except} AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > ${now})
          LIMIT ${maxLiveKeys}`
        if (live.length >= maxLiveKeys) return yield* overMemberShare(tooManyKeys, 60)
      }, Effect.catchTag("SqlError", Effect.die))

      const requireManageable = Effect.fnUntraced(function*(memberId: string, manage: ReadonlyArray<ManageArea>) {
        if (!manage.includes("webhooks")) return
        const [member] = yield* unlimited.all(
          sql`SELECT client_ids IS NULL AS unlimited FROM members WHERE id = ${memberId}`
        )
        if (member?.unlimited === false) {
          return yield* InvalidInput.at("manage", webhooksOfLimited)
        }
      })

      return Keys.of({
        create: Effect.fn("Keys.create")(
          function*({
            access = "read_only",
            budget = null,
            expires_at = null,
            manage = [],
            member_id,
            name,
            resources = null,
            undo = false,
            writes = "allow"
          }) {
            const secret = generateApiKey()
            const id = KeyId.make(yield* newId("key"))
            const hash = Buffer.from(hashApiKey(secret), "hex")
            const now = new Date(yield* Clock.currentTimeMillis)
            const scope = yield* CurrentScope
            if (scope.memberId !== null && scope.memberId !== member_id) return yield* new MemberNotFound()
            const manageAs = yield* requireRight(scope, manage)
            yield* requireFuture(expires_at, now)
            yield* requireManageable(member_id, manage)
            const created = yield* audit.change(
              Effect.andThen(
                requireRoom(member_id, now),
                keyRows.first(sql`
                  INSERT INTO keys (id, member_id, name, access, hash, hint, expires_at, manage, manage_as, resources,
                    writes, undo, budget, created_at)
                  SELECT ${id}, members.id, ${name}, ${access}, ${hash}, ${hintOf(secret)}, ${expires_at}::timestamptz,
                    ${textArray([...new Set(manage)])}::text[], ${manageAs},
                    ${resources && textArray(resources)}::text[], ${writes}, ${undo}::boolean,
                    ${budgetText(budget)}::jsonb, ${now}::timestamptz
                  FROM members WHERE members.id = ${member_id} FOR SHARE RETURNING ${columns}`)
              ),
              ifMade((key) => keyChanged("key.created", key))
            )
            if (Option.isNone(created)) return yield* new MemberNotFound()
            return { ...created.value, key: Redacted.value(secret) }
          }
        ),

        list: (page) =>
          Effect.flatMap(
            CurrentScope,
            (scope) =>
              selectNewest(sql, page, (after, end) =>
                keyRows.all(sql`SELECT ${columns} FROM keys WHERE ${after} AND ${within(scope)} ${end}`))
          ),

        change: Effect.fn("Keys.change")(function*(id, { budget, expires_at, manage, name, resources, undo, writes }) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const scope = yield* CurrentScope
          const { after } = yield* audit.change(
            Effect.gen(function*() {
              const found = yield* keyRows.first(
                sql`SELECT ${columns} FROM keys WHERE id = ${id} AND ${within(scope)} FOR UPDATE`
              )
              if (Option.isNone(found)) return yield* new KeyNotFound()
              const before = found.value
              if (before.revoked_at !== null) return yield* revokedKey
              const after: ApiKey = {
                ...before,
                name: name ?? before.name,
                expires_at: expires_at === undefined ? before.expires_at : expires_at,
                manage: manage === undefined ? before.manage : [...new Set(manage)],
                resources: resources === undefined ? before.resources : resources,
                writes: writes ?? before.writes,
                undo: undo ?? before.undo,
                budget: budget === undefined ? before.budget : budget
              }
              if (expires_at !== undefined) {
                yield* requireFuture(expires_at, now)
                yield* requireRoom(before.member_id, now, id)
              }
              // A member may keep and take away what an admin gave.
              const isGiven = manage !== undefined &&
                (scope.memberId === null || after.manage.some((area) => !before.manage.includes(area)))
              const manageAs = isGiven ? yield* requireRight(scope, after.manage) : undefined
              if (isGiven) yield* requireManageable(before.member_id, after.manage)
              yield* Effect.orDie(sql`
                UPDATE keys SET name = ${after.name}, expires_at = ${after.expires_at},
                  resources = ${after.resources && textArray(after.resources)}::text[],
                  writes = ${after.writes}, undo = ${after.undo}, budget = ${budgetText(after.budget)}::jsonb,
                  manage = ${textArray(after.manage)} ${manageAs === undefined ? sql`` : sql`, manage_as = ${manageAs}`}
                WHERE id = ${id}`)
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
          const visible = sql`id = ${id} AND ${within(yield* CurrentScope)}`
          const revoked = yield* audit.change(
            keyRows.first(
              sql`UPDATE keys SET revoked_at = ${now} WHERE ${visible} AND revoked_at IS NULL RETURNING ${columns}`
            ),
            ifMade((key) => keyChanged("key.revoked", key))
          )
          const key = Option.isSome(revoked)
            ? revoked
            : yield* keyRows.first(sql`SELECT ${columns} FROM keys WHERE ${visible}`)
          if (Option.isNone(key)) return yield* new KeyNotFound()
          yield* invalidation.publish({ table: "keys", id })
          return key.value
        }),

        revokeOf: Effect.fn("Keys.revokeOf")(function*(clientId) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const which = clientId === null
            ? sql`true`
            : sql`member_id IN (SELECT id FROM members WHERE client_ids = ${textArray([clientId])})`
          const revoked = yield* audit.change(
            keyRows.all(
              sql`UPDATE keys SET revoked_at = ${now} WHERE ${which} AND revoked_at IS NULL RETURNING ${columns}`
            ),
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

const requireFuture = (expiresAt: Date | null, now: Date) =>
  expiresAt === null || expiresAt > now
    ? Effect.void
    : Effect.fail(InvalidInput.at("expires_at", "Expected a time in the future"))

const revokedKey = Effect.fail(
  new InvalidInput({
    message: "The key is revoked and cannot be changed. Make a new one.",
    details: [{ path: ["id"], message: "This key is revoked" }]
  })
)

const webhooksOfLimited = "Webhooks tell of every client, so `webhooks` needs a member whose `client_ids` is null"

const unlimited = rowsOf(Schema.Struct({ unlimited: Schema.Boolean }))
