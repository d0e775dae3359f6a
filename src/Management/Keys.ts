import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { RateLimited } from "../Api/Errors.ts"
import { KeyNotFound, MemberNotFound } from "../Api/ManagementErrors.ts"
import { Audit } from "../Audit/Audit.ts"
import { overMemberShare } from "../Capacity/ManagementRates.ts"
import type { ApiKey, CreatedApiKey, NewApiKey } from "../Domain/ApiKey.ts"
import { KeyId } from "../Domain/Ids.ts"
import { newId } from "../Domain/NewId.ts"
import type { Page, PageRequest } from "../Domain/Page.ts"
import { CurrentActor } from "../Domain/Request/Actor.ts"
import { CurrentScope, type ManagementScope } from "../Domain/Request/ManagementScope.ts"
import { generateApiKey, hashApiKey, hintOf } from "../Secrets/ApiKeySecret.ts"
import { Invalidation } from "../Sql/Notify/Invalidation.ts"
import { selectPage } from "../Sql/Rows.ts"
import { keyChanged, keyColumns, keyRows } from "./KeyRows.ts"

const maxLiveKeys = 100
const tooManyKeys = `The member has ${maxLiveKeys} live keys. Revoke one that is not used, then make a new one.`

export class Keys extends Context.Service<Keys, {
  readonly create: (key: NewApiKey) => Effect.Effect<CreatedApiKey, MemberNotFound | RateLimited>
  readonly list: (page: PageRequest) => Effect.Effect<Page<ApiKey>>
  readonly revoke: (id: string) => Effect.Effect<ApiKey, KeyNotFound>
}>()("openaccounts/Management/Keys") {
  static readonly layer = Layer.effect(
    Keys,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const invalidation = yield* Invalidation
      const columns = keyColumns(sql)

      const within = ({ memberId }: ManagementScope) => memberId === null ? sql`true` : sql`member_id = ${memberId}`

      /** Locks the member, so that keys made at the same time count each other. */
      const requireRoom = Effect.fnUntraced(function*(memberId: string) {
        yield* sql`SELECT 1 FROM members WHERE id = ${memberId} FOR NO KEY UPDATE`
        const live = yield* sql`
          SELECT 1 FROM keys WHERE member_id = ${memberId} AND revoked_at IS NULL LIMIT ${maxLiveKeys}`
        if (live.length >= maxLiveKeys) return yield* overMemberShare(tooManyKeys, 60)
      }, Effect.catchTag("SqlError", Effect.die))

      return Keys.of({
        create: Effect.fn("Keys.create")(function*({ access = "read_only", member_id, name }) {
          const secret = generateApiKey()
          const id = KeyId.make(yield* newId("key"))
          const hash = Buffer.from(hashApiKey(secret), "hex")
          const now = new Date(yield* Clock.currentTimeMillis)
          const scope = yield* CurrentScope
          if (scope.memberId !== null && scope.memberId !== member_id) return yield* new MemberNotFound()
          const insert = keyRows.first(sql`
            INSERT INTO keys (id, member_id, name, access, hash, hint, created_at)
            SELECT ${id}, members.id, ${name}, ${access}, ${hash}, ${hintOf(secret)}, ${now}::timestamptz
            FROM members WHERE members.id = ${member_id} FOR SHARE RETURNING ${columns}`)
          const created = yield* audit.change(
            (yield* CurrentActor).type === "member" ? Effect.andThen(requireRoom(member_id), insert) : insert,
            Option.match({
              onNone: () => [],
              onSome: (key) => [keyChanged("key.created", key)]
            })
          )
          if (Option.isNone(created)) return yield* new MemberNotFound()
          return { ...created.value, key: Redacted.value(secret) }
        }),

        list: ({ cursor, limit }) =>
          Effect.flatMap(
            CurrentScope,
            (scope) =>
              selectPage(limit, (count) =>
                keyRows.all(sql`SELECT ${columns} FROM keys
                WHERE ${cursor === undefined ? sql`true` : sql`id < ${cursor}`} AND ${within(scope)}
                ORDER BY id DESC LIMIT ${count}`))
          ),

        revoke: Effect.fn("Keys.revoke")(function*(id) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const visible = sql`id = ${id} AND ${within(yield* CurrentScope)}`
          const revoked = yield* audit.change(
            keyRows.first(
              sql`UPDATE keys SET revoked_at = ${now} WHERE ${visible} AND revoked_at IS NULL RETURNING ${columns}`
            ),
            Option.match({
              onNone: () => [],
              onSome: (key) => [keyChanged("key.revoked", key)]
            })
          )
          const key = Option.isSome(revoked)
            ? revoked
            : yield* keyRows.first(sql`SELECT ${columns} FROM keys WHERE ${visible}`)
          if (Option.isNone(key)) return yield* new KeyNotFound()
          yield* invalidation.publish({ table: "keys", id })
          return key.value
        })
      })
    })
  )
}
