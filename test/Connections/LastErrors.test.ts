import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Exit, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { CredentialsExpired, UpstreamUnreachable } from "../../src/Api/Errors/ProviderErrors.ts"
import { ConnectionHealth } from "../../src/Connections/ConnectionHealth.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { LastErrors } from "../../src/Connections/LastErrors.ts"
import type { LastError, StoredConnection } from "../../src/Domain/Connection.ts"
import { Invalidation } from "../../src/Sql/Notify/Invalidation.ts"
import { connect } from "../Sql/NewConnection.ts"

const unreachable = Exit.fail(new UpstreamUnreachable())
const expired = Exit.fail(new CredentialsExpired())
const success = Exit.succeed("an answer")

const make = Effect.gen(function*() {
  const connections = yield* ConnectionRepo
  const lastErrors = yield* LastErrors
  const { id } = yield* connect()
  const find = Effect.map(connections.find(id), Option.getOrThrow)
  return {
    find,
    after: Effect.fnUntraced(
      function*(exit: typeof unreachable | typeof expired | typeof success, before?: StoredConnection) {
        const write = lastErrors.record(before ?? (yield* find), exit, yield* Clock.currentTimeMillis)
        yield* write ?? Effect.void
        return write !== undefined
      }
    ),
    refresh: (yield* Invalidation).publish({ table: "connections", id }),
    code: Effect.map(find, ({ last_error }) => last_error?.code ?? null),
    reconnect: connections.reconnect(id, {
      authType: "api_key",
      credentials: Redacted.make(JSON.stringify({ api_key: "new" })),
      externalAccount: null
    }),
    writtenElsewhere: Effect.fnUntraced(function*(lastError: LastError) {
      yield* (yield* ConnectionHealth).setLastError(id, lastError)
      yield* TestClock.adjust("1 second")
    })
  }
})

layer(LastErrors.layer.pipe(
  Layer.provideMerge(ConnectionRepo.layerMemory),
  Layer.provideMerge(Invalidation.layerLocal)
))("The last error of a connection", (it) => {
  it.effect("is written once in 10 seconds while calls fail alike, and immediately when they fail otherwise or succeed", () =>
    Effect.gen(function*() {
      const { after, code } = yield* make
      assert.isFalse(yield* after(success), "there is none to clear")
      assert.isTrue(yield* after(unreachable))
      yield* TestClock.adjust("9 seconds")
      assert.isFalse(yield* after(unreachable))
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* after(unreachable))
      yield* after(expired)
      assert.strictEqual(yield* code, "credentials_expired")
      yield* after(success)
      assert.isNull(yield* code)
    }))

  it.effect("is cleared by a success after another instance has set it, and set again after a reconnect", () =>
    Effect.gen(function*() {
      const { after, code, reconnect, writtenElsewhere } = yield* make
      yield* after(unreachable)
      yield* after(success)
      yield* writtenElsewhere({ code: "credentials_rejected", at: new Date() })
      yield* TestClock.adjust("10 seconds")
      yield* after(success)
      assert.isNull(yield* code)

      yield* after(unreachable)
      yield* reconnect
      assert.isNull(yield* code)
      yield* after(unreachable)
      assert.strictEqual(yield* code, "upstream_unreachable")
    }))
  it.effect("is cleared by the success of a call that began before it was set and refreshed the token", () =>
    Effect.gen(function*() {
      const { after, code, find, refresh } = yield* make
      const before = yield* find
      yield* after(unreachable)
      yield* refresh
      yield* after(success, before)
      assert.isNull(yield* code)
    }))
})
