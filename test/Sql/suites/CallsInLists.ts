import { assert, describe, type Vitest } from "@effect/vitest"
import { Clock, ConfigProvider, Effect, Layer, Option, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { operator, type Viewer } from "../../../src/Domain/Access/Principal.ts"
import type { CallEntry, CallFilter } from "../../../src/Domain/Calls/Call.ts"
import { CallId, ConnectionId, GrantId, MemberId } from "../../../src/Domain/Ids.ts"
import { idMillis, newId, newIdAt } from "../../../src/Domain/NewId.ts"
import { neverUndone } from "../../support/NeverUndone.ts"
import { at } from "../At.ts"
import { newCall, newParty } from "../NewCall.ts"
import { fresh } from "../OtherInstance.ts"
import { away, day, hour, idAt, instance } from "../StatsInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"
import { StoredLog } from "../StoredLog.ts"

const names = [
  "provider",
  "outcome",
  "connection_id",
  "client_id",
  "member_id",
  "key_id",
  "grant_id",
  "target",
  "error_code",
  "cached"
] as const

const fraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })

const queries = fc.record({
  /** Two calls. The filter has fields of the first, and some of the second. */
  calls: fc.tuple(fraction, fraction),
  fields: fc.shuffledSubarray([...names], { minLength: 0, maxLength: 3 }),
  others: fc.shuffledSubarray([...names], { maxLength: 1 }),
  since: fc.option(fraction),
  until: fc.option(fraction),
  viewer: fraction,
  limit: fc.integer({ min: 1, max: 12 })
})

const partitionsAt = (millis: number) => Layer.build(Layer.fresh(StoredLog)).pipe(at(millis))

/** `share` is at least 0 and below 1. */
const pick = <A>(items: ReadonlyArray<A>, share: number): A =>
  items[Math.floor(share * items.length)] ?? assert.fail("nothing to pick from")

const valuesOf = (call: CallEntry, fields: ReadonlyArray<(typeof names)[number]>): CallFilter =>
  Object.fromEntries(fields.flatMap((name) => call[name] === null ? [] : [[name, call[name]]]))

export const callPages: StorageTests = (it) =>
  describe("pages of calls", () => {
    it.effect("have the same calls as a search of the whole log", () =>
      Effect.gen(function*() {
        const now = Math.floor(((yield* Clock.currentTimeMillis) + 6 * away) / day) * day + 7.3 * hour
        const oldest = now - 100 * day
        const keepsLong = ConfigProvider.layerAdd(ConfigProvider.fromUnknown({ LOG_RETENTION: "200 days" }), {
          asPrimary: true
        })
        const { append, list } = yield* Effect.andThen(
          Effect.forEach([oldest, now - 4 * day], partitionsAt),
          instance(now, 80)
        ).pipe(Effect.provide(keepsLong))
        const plain = yield* fresh(CallLog, CallLog.layerMemory)

        const [party, other, third] = [yield* newParty, yield* newParty, yield* newParty]
        const rare = ConnectionId.make(yield* newId("con"))
        const grant_id = GrantId.make(yield* newId("gra"))
        const calls: Array<CallEntry> = []
        const newCallAt = Effect.fnUntraced(function*(millis: number) {
          const number = calls.length
          const who = pick([party, party, party, other, third], number * 0.37 % 1)
          const failed = number % 6 === 0
          const call: CallEntry = yield* newCall(who, {
            id: yield* idAt(Math.floor(millis)),
            provider: pick(["gsc", "gsc", "gsc", "ga4"], number * 0.29 % 1),
            target: number % 17 === 3 ? "tool:rare" : `raw:${number % 3}`,
            cached: !failed && number % 4 === 1,
            ...(failed
              ? {
                outcome: "error",
                http_status: 502,
                error_code: number % 18 === 0 ? "rate_limited" : "upstream_error",
                cost_usd: 0
              }
              : {}),
            ...(number % 7 === 0 ? { connection_id: null, client_id: null } : {}),
            ...(number % 11 === 0 ? { connection_id: rare } : {}),
            ...(number % 13 === 0 ? { key_id: null, grant_id, via: "grant" } : {}),
            ...(number % 42 === 0 ? { omitsBodies: true } : {}),
            ...(number % 84 === 0 ? { member_id: null, key_id: null, grant_id: null, via: null } : {})
          })
          calls.push(call)
          yield* plain.append(call)
          return call
        })
        for (let number = 0; number < 150; number++) {
          // Some hours have no calls.
          yield* newCallAt(now - 79 * hour * (number * 0.618 % 1) ** 2)
        }
        yield* Effect.forEach(calls, append, { concurrency: 50, discard: true })
        yield* Effect.forEach([0, 1, 2], (hours) => Effect.flatMap(newCallAt(oldest + hours * hour), append))

        const connectionIds = [rare, other.connection_id]
        const viewers: ReadonlyArray<Viewer> = [
          operator,
          party.viewer,
          other.viewer,
          { ...third.viewer, clientIds: [third.client_id, other.client_id] },
          { ...party.viewer, connectionIds },
          { ...party.viewer, clientIds: null, connectionIds },
          { ...third.viewer, clientIds: [] }
        ]
        const compare = Effect.fnUntraced(function*(...[viewer, filter, page]: Parameters<CallLog["Service"]["list"]>) {
          const [found, expected] = [yield* list(viewer, filter, page), yield* plain.list(viewer, filter, page)]
          assert.deepStrictEqual(
            [found.cursor, ...found.items.map(({ id }) => id)],
            [expected.cursor, ...expected.items.map(({ id }) => id)],
            `${JSON.stringify({ viewer: viewers.indexOf(viewer), filter, page })}`
          )
          return found.cursor
        })
        const check = Effect.gen(function*() {
          for (const { calls: shares, fields, limit, others, since, until, ...query } of fc.sample(queries, 40)) {
            const [one, another] = [pick(calls, shares[0]), pick(calls, shares[1])]
            const timeAt = (share: number) => new Date(now - Math.floor((1 - share) ** 2 * 90 * hour))
            const filter: CallFilter = {
              ...valuesOf(one, fields),
              ...valuesOf(another, others),
              ...(since === null ? {} : { since: timeAt(since) }),
              ...(until === null ? {} : { until: timeAt(until) })
            }
            const viewer = pick(viewers, query.viewer)
            let cursor: string | null | undefined
            for (let page = 0; page < 4 && cursor !== null; page++) {
              cursor = yield* compare(viewer, filter, { limit, ...(cursor === undefined ? {} : { cursor }) })
            }
          }
          // Some calls by each of their fields, without the others of their hour.
          for (const call of calls.filter((_, number) => number % 42 === 0 || number % 21 === 10 || number > 152)) {
            const millis = idMillis(call.id)
            const alone = { since: new Date(millis), until: new Date(millis + 1) }
            const member = viewers.find(({ memberId }) => memberId === call.member_id)
            for (const viewer of [operator, ...(member === undefined ? [] : [member])]) {
              for (const name of ["member_id", pick(names, idMillis(call.id) * 0.37 % 1)] as const) {
                yield* compare(viewer, { ...valuesOf(call, [name]), ...alone }, {})
              }
            }
          }
        })
        yield* check
      }))
  })

const dayMillis = 86_400_000

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

const idOf = (millis: number) => CallId.make(newIdAt("call", millis))

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
        const unauthenticated = { ...refused.unauthenticated, id: idOf(ownMillis) }
        const invalid = { ...refused.invalid, id: idOf(ownMillis + 1) }
        const ok = yield* newCall(refused.party, { id: idOf(ownMillis + 2) })
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
        assert.deepStrictEqual(yield* shown.pipe(at(idMillis(invalid.id) + 7 * dayMillis)), [true, true])
        assert.deepStrictEqual(yield* shown.pipe(at(idMillis(invalid.id) + 7 * dayMillis + 1)), [false, false])

        const partitions = Effect.map(
          (yield* SqlClient.SqlClient)<{ readonly name: string }>`
            SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'refused_calls'::regclass`,
          (rows) => rows.map(({ name }) => name)
        )
        const start = (yield* partitions).toSorted()[0] ?? ""
        yield* Layer.build(Layer.fresh(StoredLog)).pipe(at(now + 9 * dayMillis))
        assert.notInclude(yield* partitions, start)
      }))
  })
}
