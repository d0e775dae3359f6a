import { assert, layer, type Vitest } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { randomBytes } from "node:crypto"
import { ConnectionRepo, type ConnectionStore } from "../../../src/Connections/ConnectionRepo.ts"
import { Storage } from "../../../src/Core.ts"
import type { ConnectionId } from "../../../src/Domain/Ids.ts"
import { findRisks } from "../../../src/Features/Health/Risks.ts"
import { Invalidation } from "../../../src/Sql/Notify/Invalidation.ts"
import { connect } from "../../Sql/NewConnection.ts"
import { connectionStore } from "../../Sql/OtherInstance.ts"
import { RealPostgres } from "../../support/RealPostgres.ts"
import { settings, TestDataDir } from "../../support/TestServer.ts"

const grant = (refresh_token: string) => Redacted.make(JSON.stringify({ refresh_token }))

const healthCodes = Effect.fnUntraced(function*(id: ConnectionId) {
  return Option.getOrThrow(yield* (yield* connectionStore).find(id)).health.reasons.map(({ code }) => code)
})

const tries = (it: Vitest.MethodsNonLive<ConnectionStore>) => {
  it.effect("an unused connection is claimed for a try once a day, and its children's calls are uses", () =>
    Effect.gen(function*() {
      const connections = yield* connectionStore
      const { id } = yield* connect()
      const child = Option.getOrThrow(
        yield* connections.derive({ parentId: id, clientId: null, label: "Shop", resources: [] })
      )
      const isClaimed = Effect.map(connections.claimUnused(100_000), (claimed) => claimed.includes(id))
      assert.isFalse(yield* isClaimed)
      yield* TestClock.adjust("1 day")
      assert.deepStrictEqual((yield* Effect.all([isClaimed, isClaimed], { concurrency: 2 })).toSorted(), [false, true])
      yield* TestClock.adjust("23 hours")
      assert.isFalse(yield* isClaimed)
      yield* connections.touch(child.id)
      yield* TestClock.adjust("2 hours")
      assert.isFalse(yield* isClaimed)
      yield* TestClock.adjust("1 day")
      assert.isTrue(yield* isClaimed)
      yield* connections.revoke([id])
      yield* TestClock.adjust("2 days")
      assert.isFalse(yield* isClaimed)
    }))
}

const announcements = (it: Vitest.MethodsNonLive<ConnectionStore>) => {
  it.effect("reasons of the health are stored, inherited, and announced once", () =>
    Effect.gen(function*() {
      const connections = yield* connectionStore
      const credentials = Redacted.make(
        JSON.stringify({ refresh_token: "1//week", refresh_expires_at: "2099-01-01T00:00:00.000Z" })
      )
      const { id, scopes } = yield* connect({ credentials, askedScopes: ["more"], resources: ["gsc:https://a.com/"] })
      assert.deepStrictEqual(yield* healthCodes(id), [])
      yield* connections.watch(findRisks)
      const child = Option.getOrThrow(
        yield* connections.derive({
          parentId: id,
          clientId: null,
          label: "Shop",
          resources: ["gsc:https://b.com/", "gsheets:created"]
        })
      )
      yield* connections.setListed(id, ["gsc:https://a.com/"])
      assert.deepStrictEqual(yield* healthCodes(id), ["testing_mode", "scopes_missing"])
      assert.deepStrictEqual(yield* healthCodes(child.id), ["testing_mode", "scopes_missing", "resource_lost"])
      const announced = Effect.map(
        connections.toAnnounce,
        (all) => all.find(({ connection }) => connection.id === child.id)?.announced
      )
      assert.deepStrictEqual(yield* announced, [])
      assert.isTrue(yield* connections.announce(child.id, [], ["testing_mode"]))
      assert.isFalse(yield* connections.announce(child.id, [], ["testing_mode"]))
      assert.deepStrictEqual(yield* announced, ["testing_mode"])
      yield* connections.setListed(id, [])
      assert.deepStrictEqual(yield* healthCodes(id), ["testing_mode", "scopes_missing", "resource_lost"])
      yield* connections.revoke([child.id])
      assert.deepStrictEqual(yield* healthCodes(child.id), [], "a revoked one has nothing to tell of")
      yield* connections.change(id, { resources: null })
      yield* connections.reconnect(id, {
        authType: "oauth",
        credentials: grant("1//published"),
        scopes: [...scopes, "more"],
        askedScopes: ["more"]
      })
      assert.deepStrictEqual(yield* healthCodes(id), [])
    }))
}

const tests = (it: Vitest.MethodsNonLive<ConnectionStore>) => {
  tries(it)
  announcements(it)
}

const Repo = ConnectionRepo.layer.pipe(
  Layer.provideMerge(Storage),
  Layer.provide(Layer.effectDiscard(TestClock.setTime(Date.UTC(2026, 2, 10, 12))))
)

layer(Repo.pipe(Layer.provide(settings()), Layer.provide(TestDataDir.layer)), { timeout: 60_000 })(
  "The records of health, on the embedded database",
  tests
)

const serverSettings = Layer.unwrap(Effect.gen(function*() {
  const { createDatabase } = yield* RealPostgres
  return ConfigProvider.layer(ConfigProvider.fromUnknown({
    DATABASE_URL: Redacted.value(yield* createDatabase),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`
  }))
}))

layer(Repo.pipe(Layer.provide(serverSettings), Layer.provide(RealPostgres.layer)), { timeout: 60_000 })(
  "The records of health, on a Postgres server",
  // The pool has timers of its own, so the clock cannot jump by days.
  announcements
)

layer(
  Layer.fresh(ConnectionRepo.layerMemory).pipe(
    Layer.provide(Invalidation.layerLocal),
    Layer.provide(Layer.effectDiscard(TestClock.setTime(Date.UTC(2026, 2, 10, 12))))
  )
)("The records of health, in memory", tests)
