import { assert, describe } from "@effect/vitest"
import { Clock, ConfigProvider, Effect, Layer } from "effect"
import * as fc from "fast-check"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { operator, type Viewer } from "../../../src/Domain/Access/Principal.ts"
import type { CallEntry, CallFilter } from "../../../src/Domain/Calls/Call.ts"
import { ConnectionId, GrantId } from "../../../src/Domain/Ids.ts"
import { idMillis, newId } from "../../../src/Domain/NewId.ts"
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
