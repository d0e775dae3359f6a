import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Exit, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { CredentialsExpired, UpstreamUnreachable } from "../../src/Api/Errors/ProviderErrors.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { LastErrors } from "../../src/Connections/LastErrors.ts"
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
  const connection = yield* find
  return {
    after: Effect.fnUntraced(function*(exit: typeof unreachable | typeof expired | typeof success) {
      const write = lastErrors.record(connection, exit, yield* Clock.currentTimeMillis)
      yield* write ?? Effect.void
      return write !== undefined
    }),
    code: Effect.map(find, ({ last_error }) => last_error?.code ?? null)
  }
})

layer(LastErrors.layer.pipe(
  Layer.provideMerge(ConnectionRepo.layerMemory),
  Layer.provide(Invalidation.layerLocal)
))("The last error of a connection", (it) => {
  it.effect("is written once in 10 seconds while calls fail alike, and at once when they fail otherwise or succeed", () =>
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
})
