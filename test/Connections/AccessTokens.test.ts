import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { AccessTokens } from "../../src/Connections/AccessTokens.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { ConnectionTokens } from "../../src/Connections/ConnectionTokens.ts"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import { fresh } from "../Sql/OtherInstance.ts"
import { eventually } from "../support/Eventually.ts"
import { keyFile } from "../support/ServiceAccountFile.ts"
import {
  access,
  asTimePasses,
  connect,
  connectServiceAccount,
  later,
  play,
  read,
  stored,
  textOf,
  timePasses,
  TokenFixture,
  tokens
} from "./TokenFixture.ts"

const refused = {
  status: 401,
  body: { error: { code: 401, message: "Invalid Credentials", status: "UNAUTHENTICATED" } }
}

layer(TokenFixture)("access tokens", (it) => {
  describe("by OAuth", () => {
    it.effect("a token that expires within a minute is refreshed before use", () =>
      Effect.gen(function*() {
        const provider = yield* play(() => tokens("ya29.second"))
        yield* read(yield* access(yield* connect("61 seconds")))
        assert.deepStrictEqual(provider.bearers, ["ya29.first"])
        assert.lengthOf(provider.grants, 0)

        const connection = yield* connect("60 seconds")
        yield* read(yield* access(connection))
        assert.deepStrictEqual(provider.bearers, ["ya29.first", "ya29.second"])
        assert.deepStrictEqual(provider.grants.map((grant) => [grant.get("grant_type"), grant.get("refresh_token")]), [
          ["refresh_token", "1//first"]
        ])

        // The token is valid for an hour.
        yield* TestClock.adjust("3539 seconds")
        yield* read(yield* access(connection))
        assert.lengthOf(provider.grants, 1)
        yield* TestClock.adjust("1 second")
        yield* read(yield* access(connection))
        assert.lengthOf(provider.grants, 2)
      }))

    it.effect("a new refresh token is stored before the access token that came with it is used", () =>
      Effect.gen(function*() {
        const store = yield* ConnectionTokens
        const saved = yield* Deferred.make<void>()
        const saving = Layer.succeed(ConnectionTokens, {
          ...store,
          saveTokens: (...args) => Effect.andThen(Deferred.await(saved), store.saveTokens(...args))
        })
        const slow = yield* fresh(AccessTokens, AccessTokens.layerNoDeps.pipe(Layer.provide(saving)))
        const connection = yield* connect(0)
        const provider = yield* play(() => tokens("ya29.second", { refresh_token: "1//second" }))
        const reading = yield* Effect.forkChild(read(slow.access(connection, gsc)))
        yield* provider.asked(1)
        yield* timePasses("1 second")
        assert.lengthOf(provider.bearers, 0)

        yield* Deferred.succeed(saved, undefined)
        yield* Fiber.join(reading)
        assert.deepStrictEqual(provider.bearers, ["ya29.second"])
        assert.deepStrictEqual(yield* stored(connection.id), {
          status: "active",
          refresh_token: "1//second",
          access_token: "ya29.second"
        })
      }))

    it.effect("a token that the provider rejects is refreshed once and the call retried", () =>
      Effect.gen(function*() {
        const connection = yield* connect("1 hour")
        const provider = yield* play(
          () => tokens("ya29.second"),
          (bearer) => bearer === "ya29.first" ? refused : { body: { siteEntry: [] } }
        )
        yield* Effect.replicateEffect(Effect.flatMap(access(connection), read), 10, { concurrency: "unbounded" })
        assert.lengthOf(provider.grants, 1)
        assert.lengthOf(provider.bearers.filter((bearer) => bearer === "ya29.second"), 10)
      }))

    it.effect("a connection that is reconnected during a rejected call stays active", () =>
      Effect.gen(function*() {
        const connections = yield* ConnectionRepo
        const connection = yield* connect("1 hour")
        const api = later()
        const provider = yield* play(
          () => tokens("ya29.second"),
          (bearer) => bearer === "ya29.first" ? refused : api.hold
        )
        const reading = yield* Effect.forkChild(Effect.flatMap(access(connection), read))
        yield* TestClock.withLive(
          eventually(Effect.sync(() => provider.bearers), (bearers) => bearers.includes("ya29.second"))
        )
        yield* connections.reconnect(connection.id, {
          authType: "oauth",
          credentials: Redacted.make("{\"refresh_token\":\"1//new\"}")
        })
        api.answer(refused)
        assert.strictEqual((yield* Effect.flip(Fiber.join(reading))).code, "credentials_expired")
        assert.deepStrictEqual(yield* stored(connection.id), {
          status: "active",
          refresh_token: "1//new",
          access_token: undefined
        })
      }))

    it.effect("an unavailable token endpoint fails current calls, and the next call tries again", () =>
      Effect.gen(function*() {
        const connection = yield* connect(0)
        yield* play(() => ({ status: 503, body: { error: "temporarily_unavailable" } }))
        const errors = yield* asTimePasses(Effect.all(
          Array.from({ length: 5 }, () => Effect.flip(Effect.flatMap(access(connection), read))),
          { concurrency: "unbounded" }
        ))
        for (const error of errors) assert.deepStrictEqual([error.code, error.status], ["upstream_error", 503])
        assert.strictEqual((yield* stored(connection.id)).status, "active")

        const provider = yield* play(() => tokens("ya29.second"))
        yield* read(yield* access(connection))
        assert.deepStrictEqual(provider.bearers, ["ya29.second"])
      }))

    it.effect("interrupted callers lose neither the other callers nor the new refresh token", () =>
      Effect.gen(function*() {
        const connection = yield* connect(0)
        const answer = later()
        const provider = yield* play(() => answer.hold)
        const call = Effect.flatMap(access(connection), ({ secret }) => secret)
        const [first, second] = [yield* Effect.forkChild(call), yield* Effect.forkChild(call)]
        yield* provider.asked(1)
        yield* Fiber.interrupt(first)
        answer.answer(tokens("ya29.second", { refresh_token: "1//second" }))
        assert.strictEqual(textOf(yield* Fiber.join(second)), "ya29.second")
        assert.strictEqual((yield* stored(connection.id)).refresh_token, "1//second")

        yield* TestClock.adjust("1 hour")
        const last = later()
        const { asked, bearers, grants } = yield* play(() => last.hold)
        const only = yield* Effect.forkChild(Effect.flatMap(access(connection), read))
        yield* asked(1)
        yield* Fiber.interrupt(only)
        last.answer(tokens("ya29.third", { refresh_token: "1//third" }))
        const { refresh_token } = yield* TestClock.withLive(
          eventually(stored(connection.id), ({ refresh_token }) => refresh_token === "1//third")
        )
        assert.strictEqual(refresh_token, "1//third")
        yield* read(yield* access(connection))
        assert.deepStrictEqual(bearers, ["ya29.third"])
        assert.lengthOf([...provider.grants, ...grants], 2)
      }))

    it.effect("another instance refreshes within ten seconds after an instance died", () =>
      Effect.gen(function*() {
        const connection = yield* connect(0)
        const answer = later()
        const provider = yield* play((_, number) => number === 1 ? answer.hold : tokens("ya29.second"))
        // A dead instance neither stores tokens nor releases its lease.
        const store = yield* ConnectionTokens
        const dying = Layer.succeed(ConnectionTokens, {
          ...store,
          saveTokens: () => Effect.void,
          refreshLease: { ...store.refreshLease, extend: () => Effect.void, release: () => Effect.void }
        })
        const dead = yield* fresh(AccessTokens, AccessTokens.layerNoDeps.pipe(Layer.provide(dying)))
        const lost = yield* Effect.forkChild(dead.access(connection, gsc).secret)
        yield* provider.asked(1)

        const reading = yield* Effect.forkChild(Effect.flatMap(access(connection), read))
        yield* timePasses("9 seconds")
        assert.lengthOf(provider.grants, 1)
        yield* timePasses("2 seconds")
        yield* provider.asked(2)
        yield* Fiber.join(reading)
        assert.deepStrictEqual(provider.bearers, ["ya29.second"])
        yield* Fiber.interrupt(lost)
        answer.answer(tokens("ya29.never"))
      }))
  })

  describe("by service account", () => {
    it.effect("a token is requested once, until a minute before it expires", () =>
      Effect.gen(function*() {
        const connection = yield* connectServiceAccount
        const provider = yield* play((_, number) => tokens(`ya29.robot-${number}`))
        const call = Effect.flatMap(access(connection), read)
        yield* Effect.replicateEffect(call, 50, { concurrency: "unbounded" })
        yield* TestClock.adjust(Duration.seconds(3539))
        yield* call
        assert.lengthOf(provider.grants, 1)
        assert.strictEqual(provider.grants[0]?.get("grant_type"), "urn:ietf:params:oauth:grant-type:jwt-bearer")
        yield* TestClock.adjust(Duration.seconds(1))
        yield* call
        assert.deepStrictEqual(provider.bearers.slice(-2), ["ya29.robot-1", "ya29.robot-2"])
        assert.lengthOf(provider.grants, 2)
      }))

    it.effect("a connection test and a new key request a new token", () =>
      Effect.gen(function*() {
        const connection = yield* connectServiceAccount
        const provider = yield* play((_, number) => tokens(`ya29.robot-${number}`))
        const { renew, secret } = yield* access(connection)
        const first = yield* secret
        assert.strictEqual(textOf(yield* renew(first)), "ya29.robot-2")
        assert.strictEqual(textOf(yield* secret), "ya29.robot-2")

        const another = Redacted.make(JSON.stringify({ ...keyFile, private_key_id: "key-2" }))
        yield* (yield* ConnectionRepo).reconnect(connection.id, { authType: "service_account", credentials: another })
        assert.strictEqual(textOf(yield* secret), "ya29.robot-3")
        assert.lengthOf(provider.grants, 3)
      }))

    it.effect("a rejected key leaves the connection active, and the next call tries again", () =>
      Effect.gen(function*() {
        const connection = yield* connectServiceAccount
        yield* play(() => ({
          status: 400,
          body: { error: "invalid_grant", error_description: "Invalid JWT Signature." }
        }))
        const error = yield* Effect.flip(read(yield* access(connection)))
        assert.deepStrictEqual([error.code, error.status], ["credentials_rejected", 502])
        assert.strictEqual((yield* stored(connection.id)).status, "active")
        const provider = yield* play(() => tokens("ya29.robot"))
        yield* read(yield* access(connection))
        assert.deepStrictEqual(provider.bearers, ["ya29.robot"])
      }))
  })
})
