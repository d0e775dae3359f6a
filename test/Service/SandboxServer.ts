import { Effect, Layer, Predicate } from "effect"
import { sandboxOrigins } from "../../src/Registrations.ts"
import { Sandbox } from "../../src/Sandbox/Sandbox.ts"
import { setTime } from "../Sandbox/SandboxFixture.ts"
import { shared } from "../support/Shared.ts"
import { seed, TestDataDir, TestServer } from "../support/TestServer.ts"
import type { Call } from "./EveryOperation.ts"

export const sandboxServer = (values: Readonly<Record<string, string>> = {}) =>
  TestServer.on({ origins: sandboxOrigins() }, values)

/** One of a file's own. */
export const ownSandbox = (values: Readonly<Record<string, string>> = {}) =>
  sandboxServer(values).pipe(Layer.provideMerge(TestDataDir.layer))

/** The one that the test files of a worker share. */
export const SandboxServer = shared(ownSandbox())

export const sandboxServerAt = (instant: string) =>
  sandboxServer().pipe(Layer.provideMerge(Layer.effectDiscard(setTime(instant))))

export const connectedMember = Effect.gen(function*() {
  const { connections: [first, ...others] } = yield* Sandbox
  const seeded = yield* seed(first)
  for (const connection of others) yield* seeded.connect(connection)
  return seeded
})

export const connectAll = Effect.map(connectedMember, ({ readWrite }) => readWrite)

export const callWith = (key: string) =>
  Effect.fnUntraced(function*(payload: Call) {
    const { api } = yield* TestServer
    const { data } = yield* api(key).call.call({ payload })
    return data
  })

export const at = (data: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>(
    (value, segment) => Predicate.isObjectOrArray(value) ? Reflect.get(value, segment) : undefined,
    data
  )
