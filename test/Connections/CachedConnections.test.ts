import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { CachedConnections } from "../../src/Connections/CachedConnections.ts"
import { ConnectionRepo } from "../../src/Connections/ConnectionRepo.ts"
import { ga4 } from "../../src/Providers/Ga4/Provider.ts"
import { gsc } from "../../src/Providers/Gsc/Provider.ts"
import type { Provider } from "../../src/Providers/Provider.ts"
import { Invalidation } from "../../src/Sql/Notify/Invalidation.ts"

const steps: Array<string> = []

const traced = <A, E>(name: string, lookup: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.gen(function*() {
    steps.push(`${name} asked`)
    yield* Effect.yieldNow
    const found = yield* lookup
    steps.push(`${name} found`)
    return found
  })

/** Records what is requested, and answers a turn of the event loop later. */
const TracedConnections = Layer.effect(
  ConnectionRepo,
  Effect.map(ConnectionRepo, (connections) => ({
    ...connections,
    find: (id) => traced("connection", connections.find(id)),
    list: (clientIds, filter) => traced("connections", connections.list(clientIds, filter)),
    credentials: (id) => traced("credentials", connections.credentials(id))
  }))
).pipe(Layer.provideMerge(ConnectionRepo.layerMemory))

const TestLayer = CachedConnections.layer.pipe(
  Layer.provideMerge(TracedConnections),
  Layer.provideMerge(Invalidation.layerLocal)
)

const connect = ({ id: provider }: Provider, label: string) =>
  Effect.flatMap(ConnectionRepo, (connections) =>
    connections.create({
      provider,
      authType: "oauth",
      credentials: Redacted.make(JSON.stringify({ refresh_token: `1//${label}` })),
      clientId: null,
      label,
      externalAccount: null,
      scopes: []
    }))

const together = (name: string) => [`${name} asked`, "credentials asked", `${name} found`, "credentials found"]

layer(TestLayer)("A look-up that is no longer cached", (it) => {
  it.effect("asks for a connection and its credentials at once, from the second time on", () =>
    Effect.gen(function*() {
      const cached = yield* CachedConnections
      const { id } = yield* connect(gsc, "only")

      const look = {
        connection: Effect.map(cached.find(id), Option.isSome),
        connections: Effect.map(cached.active(null, gsc.id), (active) => active.length === 1)
      }
      for (const name of ["connection", "connections"] as const) {
        yield* TestClock.adjust("1 second")
        yield* look[name]
        yield* TestClock.adjust("1 second")
        steps.length = 0
        assert.isTrue(yield* look[name])
        yield* cached.credentials(id)
        assert.sameOrderedMembers(steps, together(name))
      }
    }))

  it.effect("asks for no credentials where several connections were found", () =>
    Effect.gen(function*() {
      const cached = yield* CachedConnections
      yield* connect(ga4, "first")
      yield* cached.active(null, ga4.id)
      yield* connect(ga4, "second")
      yield* cached.active(null, ga4.id)
      yield* TestClock.adjust("1 second")
      steps.length = 0
      yield* cached.active(null, ga4.id)
      assert.deepStrictEqual(steps, ["connections asked", "connections found"])
    }))
})
