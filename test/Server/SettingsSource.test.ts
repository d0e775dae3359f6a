import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Config, ConfigProvider, Duration, Effect, FileSystem, Layer, Option, Redacted } from "effect"
import { bucketSettings } from "../../src/Features/Datasets/Settings.ts"
import { oidcSettings } from "../../src/Features/SignIn/Settings.ts"
import { databaseServer } from "../../src/Settings.ts"
import { SettingsSource } from "../../src/SettingsSource.ts"
import { TestServer } from "../support/TestServer.ts"

const secrets = [
  "ADMIN_TOKEN AWS_SECRET_ACCESS_KEY CLICKHOUSE_URL DATABASE_DIRECT_URL DATABASE_URL ENCRYPTION_KEYS",
  "GOOGLE_CLIENT_SECRET METRICS_TOKEN OIDC_CLIENT_SECRET SITESEARCH_CLIENT_SECRET"
].flatMap((text) => text.split(" "))

const read = <A, E>(config: Effect.Effect<A, E>, settings: Readonly<Record<string, string>>) =>
  Effect.provide(config, SettingsSource.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))))

const secretFile = Effect.fnUntraced(function*(text: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.makeTempFileScoped()
  yield* fs.writeFileString(file, text)
  return file
})

describe("Settings", () => {
  it.effect("have no white space around them", () =>
    Effect.gen(function*() {
      const url = yield* read(Config.String("BASE_URL"), { BASE_URL: " https://oa.example\n" })
      assert.strictEqual(url, "https://oa.example")
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect.each(["ADMIN_TOKEN", "GOOGLE_CLIENT_ID", "BASE_URL", "AWS_SECRET_ACCESS_KEY"])(
    "with white space inside stop the start: %s",
    (name) =>
      Effect.gen(function*() {
        const error = yield* Effect.flip(read(Config.String(name), { [name]: "a value\nof two words" }))
        assert.strictEqual(error.cause.message, `${name} has white space inside. Take it out.`)
      }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect("with several words are taken where words are meant", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* read(Config.String("APP_NAME"), { APP_NAME: "Acme Reports " }), "Acme Reports")
      assert.strictEqual(yield* read(Config.String("ENCRYPTION_KEYS"), { ENCRYPTION_KEYS: "k1:a, k2:b" }), "k1:a, k2:b")
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect.each(secrets)("come from a file, if they are secret: %s", (name) =>
    Effect.gen(function*() {
      const file = yield* secretFile("the-secret\n")
      const secret = yield* read(Config.Redacted(name), { [name]: "", [`${name}_FILE`]: file })
      assert.strictEqual(Redacted.value(secret), "the-secret")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("and their file stop the start if both are set, or if the file cannot be read", () =>
    Effect.gen(function*() {
      const setting = Config.option(Config.Redacted("METRICS_TOKEN"))
      const both = yield* Effect.flip(read(setting, { METRICS_TOKEN: "a", METRICS_TOKEN_FILE: "/b" }))
      assert.strictEqual(both.cause.message, "METRICS_TOKEN and METRICS_TOKEN_FILE are both set. Set one of them.")
      const missing = yield* Effect.flip(read(setting, { METRICS_TOKEN_FILE: "/no/such/file" }))
      assert.match(missing.cause.message, /^METRICS_TOKEN_FILE: \/no\/such\/file cannot be read/)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect.each<readonly [name: string, settings: Effect.Effect<unknown, Config.ConfigError>]>([
    ["OIDC_CLIENT_SECRET", oidcSettings],
    ["AWS_SECRET_ACCESS_KEY", bucketSettings]
  ])("and their file stop the start also where nothing needs them: %s", ([name, settings]) =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(read(settings, { [name]: "a", [`${name}_FILE`]: "/b" }))
      assert.strictEqual(error.cause.message, `${name} and ${name}_FILE are both set. Set one of them.`)
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("of the pages stop the start as an error that names them", () =>
    Effect.gen(function*() {
      const server = Layer.build(TestServer.make({ APP_LOGO_FILE: "/no/such/file.png" }))
      const error = yield* Effect.flip(Effect.scoped(server))
      assert.strictEqual(error.message, "APP_LOGO_FILE: /no/such/file.png cannot be read")
    }))
})

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
    DATABASE_TIMEOUT: "0 seconds"
  }
  for (const [name, value] of Object.entries(wrong)) {
    it.effect(`name ${name} where it is ${value}`, () =>
      Effect.gen(function*() {
        const { message } = yield* Effect.flip(withEnvironment({ DATABASE_URL: direct, [name]: value }))
        assert.include(message, name)
      }))
  }
})
