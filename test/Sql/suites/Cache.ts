import { assert, describe, type Vitest } from "@effect/vitest"
import { Clock, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Cache } from "../../../src/Calls/Cache/Cache.ts"
import { CacheKey } from "../../../src/Calls/Cache/CacheKey.ts"
import type { Connection } from "../../../src/Domain/Connection.ts"
import { JsonText } from "../../../src/Domain/Json/JsonText.ts"
import { Database } from "../../../src/Sql/Database.ts"
import { eventually } from "../../support/Eventually.ts"
import { at } from "../At.ts"
import { newConnection } from "../NewConnection.ts"
import { fresh } from "../OtherInstance.ts"
import type { StorageTests } from "../StorageFixture.ts"

const newCacheKey = Effect.map(newConnection, (connection) => new CacheKey(connection, "raw:sites.list", {}))

const week = Duration.weeks(1)

const put = Effect.fnUntraced(function*(key: CacheKey, body: string) {
  yield* (yield* Cache).put(key, JsonText.trusted(body), yield* Clock.currentTimeMillis)
})

const get = Effect.fnUntraced(function*(key: CacheKey, maxAge = week) {
  return Option.getOrUndefined(Option.map(yield* (yield* Cache).get(key, maxAge), ({ text }) => text))
})

/** Runs `then` elsewhere, while the transaction of `first` is open. */
const inOpenTransaction = Effect.fnUntraced(function*<A, E, R, B, E2, R2>(
  first: Effect.Effect<A, E, R>,
  then: Effect.Effect<B, E2, R2>
) {
  const sql = yield* SqlClient.SqlClient
  const [isOpen, isDone] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const transaction = yield* first.pipe(
    Effect.andThen(Deferred.succeed(isOpen, undefined)),
    Effect.andThen(Deferred.await(isDone)),
    sql.withTransaction,
    Effect.forkChild
  )
  yield* Deferred.await(isOpen)
  const result = yield* then
  yield* Deferred.succeed(isDone, undefined)
  yield* Fiber.join(transaction)
  return result
})

const left = Effect.fnUntraced(function*({ id }: Connection) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`
    SELECT connection_id FROM responses WHERE connection_id = ${id}
    UNION ALL SELECT connection_id FROM response_drops WHERE connection_id = ${id}`
})

/** The sweep runs in the background. */
const whenSwept = (connection: Connection) =>
  TestClock.withLive(eventually(left(connection), (rows) => rows.length === 0))

export const cache = (it: Vitest.MethodsNonLive<Cache>) =>
  describe("cached responses", () => {
    it.effect("a response is returned unchanged, for the same request through the same connection only", () =>
      Effect.gen(function*() {
        const connection = yield* newConnection
        const target = "raw:sites.list"
        const input = { query: { b: [1, { d: 1, c: 2 }], a: 1 } }
        const key = new CacheKey(connection, target, input)
        const body = "{\"b\": 1.0,\"a\":\"\\u0000 \\ud800 é 😀\"}"
        yield* put(key, body)
        assert.strictEqual(yield* get(key), body)
        const same = new CacheKey(connection, target, { query: { a: 1, b: [1, { c: 2, d: 1 }] } })
        assert.strictEqual(yield* get(same), body)
        const others = [
          new CacheKey(connection, "raw:sites.get", input),
          new CacheKey(connection, target, { query: { a: 1, b: [{ c: 2, d: 1 }, 1] } }),
          new CacheKey(yield* newConnection, target, input)
        ]
        for (const other of others) assert.isUndefined(yield* get(other))

        yield* put(key, "2")
        assert.strictEqual(yield* get(key), "2")
      }))

    it.effect("a late response does not replace a newer one", () =>
      Effect.gen(function*() {
        const key = yield* newCacheKey
        const early = yield* Clock.currentTimeMillis
        yield* TestClock.adjust("1 second")
        yield* put(key, "\"later\"")
        yield* (yield* Cache).put(key, JsonText.trusted("\"earlier\""), early)
        assert.strictEqual(yield* get(key), "\"later\"")
      }))

    it.effect("a write drops the connection's responses, including those requested before it", () =>
      Effect.gen(function*() {
        const cache = yield* Cache
        const [key, other] = [yield* newCacheKey, yield* newCacheKey]
        yield* put(key, "1")
        yield* put(other, "1")
        const askedAt = yield* Clock.currentTimeMillis
        yield* TestClock.adjust("1 second")
        yield* cache.drop(key.connection.id)
        assert.isUndefined(yield* get(key))
        assert.strictEqual(yield* get(other), "1")
        assert.isTrue(yield* cache.droppedSince(key.connection.id, askedAt))
        assert.isFalse(yield* cache.droppedSince(other.connection.id, askedAt))

        yield* cache.put(key, JsonText.trusted("\"from before\""), askedAt)
        assert.isUndefined(yield* get(key))
        // In the same millisecond, the order is unknown.
        yield* put(key, "\"unclear\"")
        assert.isUndefined(yield* get(key))

        yield* TestClock.adjust("1 millis")
        yield* put(key, "\"from after\"")
        assert.strictEqual(yield* get(key), "\"from after\"")
      }))

    it.effect("a response of 1 MiB is stored, a larger one is not", () =>
      Effect.gen(function*() {
        const key = yield* newCacheKey
        yield* put(key, `"${"é".repeat(524_287)}x"`)
        assert.isUndefined(yield* get(key))
        const longest = `"${"é".repeat(524_287)}"`
        yield* put(key, longest)
        assert.strictEqual(yield* get(key), longest)
      }))
  })

export const storedResponses: StorageTests = (it) =>
  describe("stored responses", () => {
    it.effect("max_age counts from the request to the provider, up to the retention", () =>
      Effect.gen(function*() {
        const key = yield* newCacheKey
        yield* put(key, "1")
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* get(key, Duration.seconds(10)), "1")
        assert.isUndefined(yield* get(key, Duration.millis(9999)))
        const asked = (yield* Clock.currentTimeMillis) - 10_000
        const aYear = get(key, Duration.weeks(52))
        assert.strictEqual(yield* aYear.pipe(at(asked + Duration.toMillis(week))), "1")
        assert.isUndefined(yield* aYear.pipe(at(asked + Duration.toMillis(week) + 1)))
      }))

    it.effect("a response in memory is returned while the stored one is the same", () =>
      Effect.gen(function*() {
        const key = yield* newCacheKey
        const there = yield* fresh(Cache, Cache.layer)
        const stored = (body: string) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => there.put(key, JsonText.trusted(body), now))
        yield* stored("1")
        const [first, again] = yield* Effect.replicateEffect((yield* Cache).get(key, week), 2)
        assert.strictEqual(first?.pipe(Option.getOrUndefined)?.text, "1")
        // The same object means that it was not read from the database again.
        assert.strictEqual(again?.pipe(Option.getOrUndefined), first?.pipe(Option.getOrUndefined))

        yield* stored("2")
        assert.strictEqual(yield* get(key), "2")
        yield* there.drop(key.connection.id)
        assert.isUndefined(yield* get(key))
      }))

    it.effect("a response is stored encrypted, and requested again when its encryption key is gone", () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const key = yield* newCacheKey
        const rows = sql<{ readonly row: string }>`
          SELECT encode(r.encrypted_body, 'escape') || r::text AS row FROM responses AS r
          WHERE connection_id = ${key.connection.id}`
        const elsewhere = Effect.gen(function*() {
          const { get } = yield* fresh(Cache, Cache.layer)
          return Option.getOrUndefined(Option.map(yield* get(key, week), ({ text }) => text))
        })
        for (const filler of [0, 1000, 100_000]) {
          const secret = JSON.stringify({ customer: "0A1B2C3D", filler: "x".repeat(filler) })
          yield* put(key, secret)
          yield* put(key, secret)
          assert.strictEqual(yield* elsewhere, secret)
          assert.notInclude(JSON.stringify(yield* rows), "0A1B2C3D")
        }
        yield* sql`UPDATE responses SET encryption_key_id = 'gone' WHERE connection_id = ${key.connection.id}`
        assert.isUndefined(yield* elsewhere)
      }))

    it.effect("a response from before a concurrent write is not returned", () =>
      Effect.gen(function*() {
        // The embedded database has one connection, so its statements are not concurrent.
        if ((yield* Database).kind === "embedded") return
        const key = yield* newCacheKey
        yield* inOpenTransaction(put(key, "\"from before\""), (yield* Cache).drop(key.connection.id))
        assert.isUndefined(yield* get(key))
      }))

    it.effect("a write does not wait for a response that another instance is storing", () =>
      Effect.gen(function*() {
        if ((yield* Database).kind === "embedded") return
        const sql = yield* SqlClient.SqlClient
        const key = yield* newCacheKey
        yield* put(key, "\"from before\"")
        const lock = sql`SELECT FROM responses WHERE connection_id = ${key.connection.id} FOR UPDATE`
        const dropped = Effect.andThen((yield* Cache).drop(key.connection.id), get(key))
        assert.isUndefined(yield* inOpenTransaction(lock, dropped))
        assert.isUndefined(yield* get(key))
      }))

    it.effect("responses older than the retention are deleted", () =>
      Effect.gen(function*() {
        const [old, young] = [yield* newCacheKey, yield* newCacheKey]
        const now = yield* Clock.currentTimeMillis
        const weekAgo = now - Duration.toMillis(week)
        yield* (yield* Cache).drop(old.connection.id).pipe(at(weekAgo - 2))
        yield* put(old, "1").pipe(at(weekAgo - 1))
        yield* put(young, "1").pipe(at(weekAgo))

        yield* Layer.build(Layer.fresh(Cache.layer)).pipe(at(now))
        assert.lengthOf(yield* whenSwept(old.connection), 0)
        assert.lengthOf(yield* left(young.connection), 1)
      }))
  })
