import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Option, Redacted } from "effect"
import { databaseServer } from "../src/Settings.ts"

const withEnvironment = (settings: Readonly<Record<string, string>>) =>
  databaseServer.pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(settings)))

const pooler = "postgres://oa@pooler/oa"
const direct = "postgres://oa@database/oa"

describe("the database settings", () => {
  it.effect("without DATABASE_URL mean the embedded database", () =>
    Effect.gen(function*() {
      assert.isTrue(Option.isNone(yield* withEnvironment({})))
    }))

  it.effect("need only DATABASE_URL for a server", () =>
    Effect.gen(function*() {
      const { directUrl, maxConnections, pooled, timeout, url } = Option.getOrThrow(
        yield* withEnvironment({ DATABASE_URL: direct })
      )
      assert.deepStrictEqual([url, directUrl].map(Redacted.value), [direct, direct])
      assert.deepStrictEqual({ maxConnections, pooled }, { maxConnections: 10, pooled: false })
      assert.strictEqual(Duration.toSeconds(timeout), 10)
    }))

  it.effect("require DATABASE_DIRECT_URL with a pooler in transaction mode", () =>
    Effect.gen(function*() {
      const settings = { DATABASE_URL: pooler, DATABASE_POOLER: "transaction" }
      const { message } = yield* Effect.flip(withEnvironment(settings))
      assert.match(message, /^DATABASE_DIRECT_URL must be set when DATABASE_POOLER is transaction/)
      const { directUrl, pooled, url } = Option.getOrThrow(
        yield* withEnvironment({ ...settings, DATABASE_DIRECT_URL: direct })
      )
      assert.deepStrictEqual([url, directUrl].map(Redacted.value), [pooler, direct])
      assert.isTrue(pooled)
    }))

  const wrong = {
    DATABASE_URL: "mysql://oa@database/oa",
    DATABASE_DIRECT_URL: "database",
    DATABASE_POOLER: "statement",
    DATABASE_MAX_CONNECTIONS: "0",
    DATABASE_TIMEOUT: "soon"
  }
  for (const [name, value] of Object.entries(wrong)) {
    it.effect(`name ${name} where it is ${value}`, () =>
      Effect.gen(function*() {
        const { message } = yield* Effect.flip(withEnvironment({ DATABASE_URL: direct, [name]: value }))
        assert.include(message, name)
      }))
  }
})
