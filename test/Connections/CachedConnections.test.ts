import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { CachedConnections } from "../../src/Connections/CachedConnections.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { ConnectionTokens } from "../../src/Connections/ConnectionTokens.ts"
import { Invalidation } from "../../src/Sql/Notify/Invalidation.ts"
import { connect } from "../Sql/NewConnection.ts"
import { connectionStore } from "../Sql/OtherInstance.ts"

const steps: Array<string> = []

/** Answers a turn of the event loop later. */
const traced = <A, E>(name: string, lookup: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function*() {
    steps.push(`${name} asked`)
    yield* Effect.yieldNow
    const found = yield* lookup
    steps.push(`${name} found`)
    return found
  })

const TracedConnections = Layer.effectContext(
  Effect.map(connectionStore, (connections) =>
    Context.make(ConnectionRepo, {
      ...connections,
      find: (id) => traced("connection", connections.find(id)),
      list: (clientIds, filter) => traced("connection", connections.list(clientIds, filter))
    }).pipe(Context.add(ConnectionTokens, {
      ...connections,
      credentials: (id) => traced("credentials", connections.credentials(id))
    })))
).pipe(Layer.provideMerge(ConnectionRepo.layerMemory))

const TestLayer = CachedConnections.layer.pipe(
  Layer.provideMerge(TracedConnections),
  Layer.provideMerge(Invalidation.layerLocal)
)

layer(TestLayer)("A look-up that is no longer cached", (it) => {
  it.effect("asks for a connection and its credentials together, if it found one last time", () =>
    Effect.gen(function*() {
      const cached = yield* CachedConnections
      const { id } = yield* connect()
      const active = Effect.map(cached.active(null, "gsc"), ({ length }) => length)
      const together = ["connection asked", "credentials asked", "connection found", "credentials found"]
      const assertNext = Effect.fnUntraced(function*<A>(look: Effect.Effect<A>, found: A, expected: Array<string>) {
        yield* TestClock.adjust("1 second")
        steps.length = 0
        assert.strictEqual(yield* look, found)
        assert.deepStrictEqual(steps, expected)
      })
      for (const look of [Effect.map(cached.find(id), Option.isSome), active]) {
        yield* TestClock.adjust("1 second")
        yield* assertNext(look, yield* look, together)
      }
      yield* connect()
      yield* assertNext(active, 2, together)
      yield* assertNext(active, 2, ["connection asked", "connection found"])
    }))
})
