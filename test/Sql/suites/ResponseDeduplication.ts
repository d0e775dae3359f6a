import { assert, describe } from "@effect/vitest"
import { Clock, ConfigProvider, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Cache } from "../../../src/Calls/Cache/Cache.ts"
import { CallLog } from "../../../src/Calls/Log/CallLog.ts"
import { CacheKey } from "../../../src/Calls/Storage/CacheKey.ts"
import { callRows } from "../../../src/Calls/Storage/CallRows.ts"
import { CallWrites } from "../../../src/Calls/Storage/CallWrites.ts"
import { ResponseDeduplication } from "../../../src/Calls/Storage/ResponseDeduplication.ts"
import type { CallEntry } from "../../../src/Domain/Calls/Call.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { newParty, newRead, redacted, report } from "../NewCall.ts"
import { newConnection } from "../NewConnection.ts"
import type { StorageTests } from "../StorageFixture.ts"
import { StoredLog } from "../StoredLog.ts"

const newReader = Effect.fnUntraced(function*(services: Context.Context<Cache | CallLog>) {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* newConnection
  const party = { ...(yield* newParty), connection_id: connection.id }
  const key = new CacheKey(connection, "raw:sites.list", {})
  const { put } = Context.get(services, Cache)
  const { append } = Context.get(services, CallLog)
  return {
    key,
    read: Effect.fnUntraced(function*(data: JsonText, more?: Partial<CallEntry>) {
      const call = yield* newRead(party, data, more)
      const now = yield* Clock.currentTimeMillis
      const [exit] = yield* Effect.all([Effect.exit(append(redacted(call))), put(key, data, now)], { concurrency: 2 })
      return { call, exit }
    }),
    stored: Effect.map(
      sql<{ readonly body: string | null; readonly call_id: string | null }>`
        SELECT body, call_id FROM responses WHERE connection_id = ${connection.id}`,
      ([row]) => row
    ),
    getElsewhere: Effect.gen(function*() {
      const { get } = Context.get(yield* Layer.build(Layer.fresh(Cache.layer)), Cache)
      return Option.getOrUndefined(Option.map(yield* get(key, Duration.days(1)), ({ text }) => text))
    })
  }
})

const reader = Effect.flatMap(Effect.context<Cache | CallLog>(), newReader)

export const responseDeduplication: StorageTests = (it) =>
  describe("responses that the log has", () => {
    it.effect("are not stored in the cache as well", () =>
      Effect.gen(function*() {
        const { getElsewhere, read, stored } = yield* reader
        const [first, again, changed] = [report(), report(), report({ more: 1 })]
        const { call } = yield* read(first)
        for (const data of [first, again]) {
          assert.deepStrictEqual(yield* stored, { body: null, call_id: call.id })
          assert.strictEqual(yield* getElsewhere, data.text)
          yield* read(again)
        }
        const { call: other } = yield* read(changed)
        assert.deepStrictEqual(yield* stored, { body: null, call_id: other.id })
        assert.strictEqual(yield* getElsewhere, changed.text)
      }))

    it.effect("are cached in the transaction that logs the call", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { key, read } = yield* reader
        yield* read(report())
        const rows = yield* sql`
          SELECT FROM calls JOIN responses ON call_id = id AND calls.xmin = responses.xmin
          WHERE responses.connection_id = ${key.connection.id}`
        assert.lengthOf(rows, 1)
      }))

    it.effect("are stored in the cache when the log has them short, redacted or truncated", () =>
      Effect.gen(function*() {
        const { getElsewhere, read, stored } = yield* reader
        const others = ["{}", report({ refresh_token: "1//secret" }).text, report({ more: "😀".repeat(2000) }).text]
        for (const text of [...others, report().text, ...others]) {
          yield* read(JsonText.trusted(text))
          const isInClear = others.includes(text) && !text.includes("secret")
          assert.strictEqual((yield* stored)?.body, isInClear ? text : null)
          assert.strictEqual(yield* getElsewhere, text)
        }
      }))

    it.effect("are stored in the cache when its retention is longer", () =>
      Effect.gen(function*() {
        const longer = ConfigProvider.layerAdd(ConfigProvider.fromUnknown({ CACHE_RETENTION: "31 days" }), {
          asPrimary: true
        })
        const services = Layer.fresh(Layer.mergeAll(Cache.layer, StoredLog)).pipe(Layer.provide(longer))
        const { read, stored } = yield* newReader(yield* Layer.build(services))
        const data = report()
        yield* read(data)
        assert.deepStrictEqual(yield* stored, { body: data.text, call_id: null })
      }))

    it.effect("are requested from the provider after they were dropped from the log or changed in it", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { getElsewhere, key, read } = yield* reader
        const ofConnection = sql`connection_id = ${key.connection.id}`
        const data = report()
        yield* read(data)
        yield* sql`UPDATE calls SET response = replace(response, 'rows', 'rags') WHERE ${ofConnection}`
        assert.isUndefined(yield* getElsewhere)
        yield* sql`DELETE FROM calls WHERE ${ofConnection}`
        assert.isUndefined(yield* getElsewhere)
      }))

    it.effect("do not include responses of calls that could not be logged", () =>
      Effect.gen(function*() {
        const { getElsewhere, read, stored } = yield* reader
        const data = report()
        const { exit } = yield* read(data, { request: "\0" })
        assert.isTrue(Exit.isFailure(exit))
        assert.isUndefined(yield* getElsewhere)
        const { call } = yield* read(data)
        assert.deepStrictEqual(yield* stored, { body: null, call_id: call.id })
        assert.strictEqual(yield* getElsewhere, data.text)
      }))

    it.effect("are logged in full after a switch to another database server", () =>
      Effect.gen(function*() {
        const services = yield* Layer.build(Layer.fresh(Layer.merge(CallWrites.layer, ResponseDeduplication.layer)))
        const deduplication = Context.get(services, ResponseDeduplication)
        const { prepare, settle } = callRows(deduplication)
        const party = yield* newParty
        const prepared = Effect.map(newRead(party, report()), (call) => prepare(redacted(call)))
        const hasData = Effect.fnUntraced(function*(read: Effect.Success<typeof prepared>) {
          yield* Context.get(services, CallWrites).log(read)
          return (yield* deduplication.read([read.call.id])).has(read.call.id)
        })
        const first = yield* prepared
        assert.isTrue(yield* hasData(first))
        settle(first, true)
        assert.isFalse(yield* hasData(yield* prepared))

        deduplication.server.current = "1700000000.000000"
        const next = [yield* prepared, yield* prepared]
        for (const read of next) assert.isTrue(yield* hasData(read))
      }))
  })
