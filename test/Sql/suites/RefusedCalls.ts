import { assert, describe, type Vitest } from "@effect/vitest"
import { Clock, Effect, Layer, Option, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import type { Viewer } from "../../../src/Domain/Access/Principal.ts"
import { CallId, MemberId } from "../../../src/Domain/Ids.ts"
import { idMillis, newIdAt } from "../../../src/Domain/NewId.ts"
import { neverUndone } from "../../support/NeverUndone.ts"
import { at } from "../At.ts"
import { newCall, newParty } from "../NewCall.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"
import { StoredLog } from "../StoredLog.ts"

const day = 86_400_000

const everybody: Viewer = { memberId: MemberId.make(`mem_${"0".repeat(26)}`), clientIds: null, connectionIds: null }

const refusal = { outcome: "error", cost_usd: 0, client_id: null, connection_id: null, omitsBodies: true } as const

const newRefused = Effect.fnUntraced(function*() {
  const party = yield* newParty
  const unauthenticated = yield* newCall(party, {
    ...refusal,
    http_status: 401,
    error_code: "unauthenticated",
    provider: null,
    target: null,
    key_id: null,
    member_id: null,
    via: null,
    request: null
  })
  const invalid = yield* newCall(party, {
    ...refusal,
    http_status: 400,
    error_code: "invalid_input",
    provider: "sitesearch",
    target: "tool:sitesearch_crawl_health"
  })
  return { party, unauthenticated, invalid }
})

/** No other test logs a call then. */
const ownMillis = Date.UTC(2026, 2, 10, 11, 17, 43)

const idAt = (millis: number) => CallId.make(newIdAt("call", millis))

/** Other tests log calls with later ids. */
const pageOf = ({ list }: CallLog["Service"]) =>
  Effect.fnUntraced(function*(viewer: Viewer, filter: Parameters<typeof list>[1], limit = 3) {
    const { items } = yield* list(viewer, filter, { limit, cursor: newIdAt("call", ownMillis + 3) })
    return items.map(({ id }) => id)
  })

/** Starts at the present: an instance that starts in the future drops the partitions of today. */
const newLog = Effect.orDie(fresh(CallLog, StoredLog))

export const refusedCalls = (it: Vitest.MethodsNonLive<CallLog>) => whereverStored(it, CallLog)

const whereverStored = <R>(
  it: Vitest.MethodsNonLive<R>,
  theLog: Effect.Effect<CallLog["Service"], never, R | Scope.Scope>
) =>
  describe("refused calls", () => {
    it.effect("are found by their id and listed among the others, with everything but their bodies", () =>
      Effect.gen(function*() {
        const log = yield* theLog
        const page = pageOf(log)
        const refused = yield* newRefused()
        const unauthenticated = { ...refused.unauthenticated, id: idAt(ownMillis) }
        const invalid = { ...refused.invalid, id: idAt(ownMillis + 1) }
        const ok = yield* newCall(refused.party, { id: idAt(ownMillis + 2) })
        yield* Effect.forEach([unauthenticated, invalid, ok], log.append, { discard: true })

        assert.deepStrictEqual(yield* page(everybody, {}), [ok.id, invalid.id, unauthenticated.id])
        assert.deepStrictEqual(yield* page(everybody, {}, 1), [ok.id])
        assert.deepStrictEqual(yield* page(everybody, { outcome: "error" }, 2), [invalid.id, unauthenticated.id])
        assert.deepStrictEqual(yield* page(everybody, { provider: "sitesearch", outcome: "error" }, 1), [invalid.id])
        assert.deepStrictEqual(yield* page(everybody, { outcome: "ok" }, 1), [ok.id])

        const found = Option.getOrThrow(yield* log.find(everybody, invalid.id))
        const { omitsBodies: _, request: __, response: ___, ...entry } = invalid
        assert.deepStrictEqual(found, {
          ...neverUndone,
          ...entry,
          created_at: new Date(idMillis(invalid.id)),
          request: null,
          response: null
        })
        const { response } = Option.getOrThrow(yield* log.find(everybody, unauthenticated.id))
        assert.deepStrictEqual(response?.value, {
          call_id: unauthenticated.id,
          error: {
            code: "unauthenticated",
            message:
              "The API key or agent token in `Authorization: Bearer …` is missing, malformed, expired or revoked."
          }
        })
      }))

    it.effect("are visible to their own member, and without a valid key only to members without limits", () =>
      Effect.gen(function*() {
        const log = yield* theLog
        const { invalid, party, unauthenticated } = yield* newRefused()
        const { viewer: other } = yield* newParty
        yield* Effect.forEach([unauthenticated, invalid], log.append, { discard: true })
        for (const [viewer, visible] of [[party.viewer, [invalid]], [other, []]] as const) {
          assert.deepStrictEqual(
            (yield* log.list(viewer, {}, {})).items.map(({ id }) => id),
            visible.map(({ id }) => id)
          )
          for (const call of [unauthenticated, invalid]) {
            const found = yield* log.find(viewer, call.id)
            assert.strictEqual(Option.isSome(found), visible.some(({ id }) => id === call.id))
          }
        }
      }))
  })

export const storedRefusedCalls: StorageTests = (it) => {
  whereverStored(it, newLog)

  describe("stored refused calls", () => {
    it.effect("are kept for a week", () =>
      Effect.gen(function*() {
        const log = yield* newLog
        const { party, invalid } = yield* newRefused()
        const now = yield* Clock.currentTimeMillis
        yield* log.append(invalid)
        const shown = Effect.all([
          Effect.map(log.find(party.viewer, invalid.id), Option.isSome),
          Effect.map(log.list(party.viewer, {}, {}), ({ items }) => items.length === 1)
        ])
        assert.deepStrictEqual(yield* shown.pipe(at(idMillis(invalid.id) + 7 * day)), [true, true])
        assert.deepStrictEqual(yield* shown.pipe(at(idMillis(invalid.id) + 7 * day + 1)), [false, false])

        const partitions = Effect.map(
          (yield* SqlClient.SqlClient)<{ readonly name: string }>`
            SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'refused_calls'::regclass`,
          (rows) => rows.map(({ name }) => name)
        )
        const start = (yield* partitions).toSorted()[0] ?? ""
        yield* Layer.build(Layer.fresh(StoredLog)).pipe(at(now + 9 * day))
        assert.notInclude(yield* partitions, start)
      }))
  })
}
